import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import type { User } from '#features/auth/auth.contract.ts'
import s from './change-email.module.css'

/** CANCELED: a request that has ended without a change. */
export function Canceled({ user, startAgain }: { user: User; startAgain: () => void }) {
  return (
    <>
      <Banner kind="bad">Too many wrong One-Time PINs were entered, or the new address can’t be used any more.</Banner>
      <p className={s.text}>
        Your email address is still <EmailAddress of={user.email} />.
      </p>
      <p className={s.text}>
        If too many wrong PINs were entered, you can start again from tomorrow. Otherwise you can start again now.
      </p>
      <div className={s.next}>
        <Button onClick={startAgain}>START AGAIN</Button>
      </div>
    </>
  )
}
