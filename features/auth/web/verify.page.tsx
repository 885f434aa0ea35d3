import { useState } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { AwaitMail } from './AwaitMail.tsx'
import { ConfirmLink } from './ConfirmLink.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { useUser } from './use-account.ts'
import { endIn, endTitles, tokenIn } from './verify-link.ts'
import * as s from './AuthFrame.module.css'

/** For a customer who has yet to confirm their address; and where the link in the mail leads, for anyone. */
export default function VerifyPage() {
  const { search } = useRawLocation()
  const user = useUser()
  // Kept from the first look: it leaves the address bar as the link is used up.
  const [token] = useState(() => tokenIn(search))
  const [end, setEnd] = useState(() => endIn(search))
  // After a reload there are no thanks for an address that still waits.
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
