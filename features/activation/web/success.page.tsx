import { useQuery } from '@tanstack/react-query'
import { useApi } from '#kit/web/api.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Tail } from '#kit/web/widgets/Tail.tsx'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import type { Activation } from '../activation.contract.ts'
import s from './success.module.css'
import { WizardPage } from './WizardPage.tsx'

export default function SuccessPage() {
  return <WizardPage step="payment" title="Activation Complete">{(activation) => <Success activation={activation} />}</WizardPage>
}

function Success({ activation }: { activation: Activation }) {
  const signedIn = useQuery(accountQuery(useApi())).data?.authenticated ?? false
  const { plan_title, phone_number, setup_porting, porting_request: port, email } = activation
  return (
    <Card>
      <div className={s.success}>
        <Tail part={1} />
        <p className={s.plan}>{plan_title}</p>
        {setup_porting ? (
          <p>
            Your Number Transfer Request for <strong>{port?.msisdn}</strong> is under way. You will receive an email confirmation when it is complete.
            Until then your SIM works with <strong>{phone_number}</strong>.
          </p>
        ) : (
          <p>Your new Phone Number is <strong className={s.number}>{phone_number}</strong></p>
        )}
        <ul className={s.next}>
          <li><Icon name="sim" />Insert your new SIM into your phone, and turn the phone off and on again.</li>
          {!signedIn && <li><Icon name="mail" />We sent a confirmation email to {email}. Please click the link in it to confirm your email address.</li>}
        </ul>
        <Button href="/">Go to my dashboard</Button>
        <p className={s.hint}>There you see your usage, buy add-ons and change your settings.</p>
      </div>
    </Card>
  )
}
