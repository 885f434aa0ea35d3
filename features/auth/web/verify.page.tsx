import { useState } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { AwaitMail } from './AwaitMail.tsx'
import { ConfirmLink } from './ConfirmLink.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { useUser } from './use-account.ts'
import { endIn, endTitles, tokenIn } from './verify-link.ts'
import * as s from './AuthFrame.module.css'

export default function VerifyPage() {
  const { search } = useRawLocation()
  const user = useUser()
  // Keep the first token, because it leaves the address bar when the link is used.
  const [token] = useState(() => tokenIn(search))
  const [end, setEnd] = useState(() => endIn(search))
  const byLink = token !== null || (end !== null && user?.email_verified !== false)
  const toChange = (
    <>
      <span>Not your address?</span>{' '}
      <Link href="/account/contact-details/change-email/" className={s.link}>
        Change my email address
      </Link>
    </>
  )
  return (
    <AuthFrame
      title={byLink && end ? endTitles[end] : 'Confirm Your Email Address'}
      below={!byLink && user && toChange}
    >
      {byLink ? <ConfirmLink token={token} user={user} end={end} onEnd={setEnd} /> : user && <AwaitMail user={user} />}
    </AuthFrame>
  )
}
