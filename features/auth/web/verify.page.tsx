import { useState } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { VerificationPending } from './VerificationPending.tsx'
import { ConfirmLink } from './ConfirmLink.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { useUser } from './use-user.ts'
import { readLinkOutcome, outcomeTitles, readLinkToken } from './verification-link.ts'
import * as s from './AuthFrame.module.css'

export default function VerifyPage() {
  const { search } = useRawLocation()
  const user = useUser()
  // Remember the initial token, because it is removed from the URL once the link has been used.
  const [token] = useState(() => readLinkToken(search))
  const [outcome, setOutcome] = useState(() => readLinkOutcome(search))
  const isLinkTarget = token !== null || (outcome !== null && user?.email_verified !== false)
  const changeEmailLink = (
    <>
      <span>Not your address?</span>{' '}
      <Link href="/account/contact-details/change-email/" className={s.link}>
        Change my email address
      </Link>
    </>
  )
  return (
    <AuthFrame
      title={isLinkTarget && outcome ? outcomeTitles[outcome] : 'Confirm Your Email Address'}
      below={!isLinkTarget && user && changeEmailLink}
    >
      {isLinkTarget ? (
        <ConfirmLink token={token} user={user} end={outcome} onEnd={setOutcome} />
      ) : (
        user && <VerificationPending user={user} />
      )}
    </AuthFrame>
  )
}
