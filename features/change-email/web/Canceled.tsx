import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import type { User } from '#features/auth/auth.contract.ts'
import s from './change-email.module.css'

/** CANCELED: a request that has ended without a change. */
export function Canceled({ user, startAgain }: { user: User; startAgain: () => void }) {
  return (
    <>
      <Banner kind="bad">Too many wrong One-Time PINs were entered, or the new address can’t be used any more.</Banner>
      <p className={s.text}>Your email address is still <b>{user.email}</b>.</p>
      <p className={s.text}>You can start again now. After too many wrong PINs that works from tomorrow on.</p>
      <div className={s.next}><Button onClick={startAgain}>START AGAIN</Button></div>
    </>
  )
}
