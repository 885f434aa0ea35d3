import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { User } from '../auth.contract.ts'
import { ResendVerification } from './ResendVerification.tsx'
import * as s from './AuthFrame.module.css'

export function VerificationPending({ user }: { user: User }) {
  return (
    <>
      <p>Click the link in the email to confirm your email address.</p>
      <p className={s.address}>
        <Icon name="mail" />
        <EmailAddress of={user.email} />
      </p>
      <ResendVerification>
        <b>{"Didn't receive the email?"}</b> Check your spam folder, or have it sent again.
      </ResendVerification>
    </>
  )
}
