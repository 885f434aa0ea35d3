import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import * as s from './change-email.module.css'

export function FinishedStep({ email, back, startAgain }: { email: string; back: string; startAgain: () => void }) {
  return (
    <>
      <Banner kind="good">
        Your email address is now <EmailAddress of={email} />. Use it to log in from now on.
      </Banner>
      <div className={s.next}>
        <Button href={back}>Back to Contact Details</Button>
        <Button kind="plain" className={s.back} onClick={startAgain}>
          Change my email address again
        </Button>
      </div>
    </>
  )
}
