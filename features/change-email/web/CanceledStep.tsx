import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import type { User } from '#features/auth/auth.contract.ts'
import type { EmailChangeView } from '../change-email.contract.ts'
import { LockedNotice } from './LockedNotice.tsx'
import * as s from './change-email.module.css'

type Props = { change: EmailChangeView; user: User; startAgain: () => void }

export function CanceledStep({ change: { new_email, canceled_by, locked_until }, user, startAgain }: Props) {
  return (
    <>
      <Banner kind="bad">
        {canceled_by === 'wrong_pins' ? (
          'Five wrong One-Time PINs were entered in a day, so we’ve stopped this email change.'
        ) : canceled_by === 'address_taken' ? (
          <span>
            <EmailAddress of={new_email} /> is no longer available, so we’ve stopped this email change.
          </span>
        ) : (
          'We’ve stopped this email change.'
        )}
      </Banner>
      <p className={s.text}>
        Your email address is still <EmailAddress of={user.email} />.
      </p>
      {locked_until ? (
        <LockedNotice until={locked_until} />
      ) : (
        <>
          <p className={s.text}>
            {canceled_by === 'address_taken' ? 'You can start again with another address.' : 'You can start again now.'}
          </p>
          <div className={s.next}>
            <Button onClick={startAgain}>START AGAIN</Button>
          </div>
        </>
      )}
    </>
  )
}
