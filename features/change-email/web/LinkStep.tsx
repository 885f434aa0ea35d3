import { Button } from '#kit/web/widgets/Button.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { ResendMail } from '#features/account/web/ResendMail.tsx'
import type { EmailChangeView } from '../change-email.contract.ts'
import type { ChangeEmailMutations } from './use-change-email-mutations.ts'
import * as s from './change-email.module.css'

type Props = { change: EmailChangeView; email: string; moves: ChangeEmailMutations; goBack: () => void }

export function LinkStep({ change: { new_email }, email, moves, goBack }: Props) {
  return (
    <>
      <p className={s.text}>
        We’ve sent an email to <EmailAddress of={new_email} />. Click the link in the email to finish.
      </p>
      <p className={s.text}>
        Until then your email address is still <EmailAddress of={email} />.
      </p>
      <ResendMail question="Didn't receive the email?" text="RESEND" send={moves.sendLink} />
      <div className={s.next}>
        <Button kind="plain" className={s.back} onClick={goBack}>
          BACK
        </Button>
      </div>
    </>
  )
}
