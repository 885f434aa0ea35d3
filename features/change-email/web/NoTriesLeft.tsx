import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { LockedNotice } from './LockedNotice.tsx'
import * as s from './change-email.module.css'

export function NoTriesLeft({ email, until, back }: { email: string; until: string; back: string }) {
  return (
    <>
      <Banner kind="warn">
        Five wrong One-Time PINs were entered today, so you can’t change your email address right now.
      </Banner>
      <p className={s.text}>
        Your email address is <EmailAddress of={email} />.
      </p>
      <LockedNotice until={until} />
      <div className={s.next}>
        <Button kind="quiet" href={back}>
          Back
        </Button>
      </div>
    </>
  )
}
