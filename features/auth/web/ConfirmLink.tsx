import { useEffect, useEffectEvent, useRef } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { LongWait } from '#kit/web/widgets/LongWait.tsx'
import type { User } from '../auth.contract.ts'
import { verifyEmail, verifyMessages } from '../verify.contract.ts'
import { reloadAccount } from './account.queries.ts'
import { ConfirmByPassword } from './ConfirmByPassword.tsx'
import { FailureBanner } from './FailureBanner.tsx'
import { ResendVerification } from './ResendVerification.tsx'
import { type LinkOutcome, outcomePath } from './verification-link.ts'
import * as s from './AuthFrame.module.css'

type Props = {
  token: string | null
  user: User | null
  end: LinkOutcome | null
  onEnd: (end: LinkOutcome) => void
}

/**
 * Confirms an email address. A script submits the token, so that a mail scanner which merely opens the link does not
 * use it up. Unless the server recognises the browser as the account creator's, the page asks for a password.
 */
export function ConfirmLink({ token, user, end, onEnd }: Props) {
  const finishConfirmation = useFinishConfirmation(onEnd)
  const confirmation = useConfirmation(token, finishConfirmation)
  if (end) return <LinkResult end={end} user={user} />
  if (token && requiresPassword(confirmation.error))
    return <ConfirmByPassword token={token} onEnd={finishConfirmation} />
  const isRejected = getErrorStatus(confirmation.error) === 400
  return (
    <div className={s.said}>
      <div role="status">
        {confirmation.isError ? (
          <FailureBanner error={confirmation.error} />
        ) : (
          <>
            <p>One moment, we are confirming your email address.</p>
            <LongWait />
          </>
        )}
      </div>
      {confirmation.isError && !isRejected && (
        <Button wide onClick={() => void confirmation.mutate()}>
          Try Again
        </Button>
      )}
      {isRejected && <RejectedLinkHelp user={user} />}
    </div>
  )
}

function LinkResult({ end, user }: { end: LinkOutcome; user: User | null }) {
  const messageRef = useRef<HTMLDivElement>(null)
  // The pressed button has disappeared, so move the focus to the message.
  useEffect(() => {
    if (document.activeElement === document.body) messageRef.current?.focus()
  }, [])
  return (
    <div className={s.said}>
      <div ref={messageRef} role="status" tabIndex={-1}>
        <Banner kind="good">{verifyMessages[end]}</Banner>
      </div>
      {end !== 'notMe' &&
        (user ? (
          <DashboardButton />
        ) : (
          <Button wide href="/login/">
            LOG IN
          </Button>
        ))}
    </div>
  )
}

const DashboardButton = () => (
  <Button wide href="/">
    Go to my dashboard
  </Button>
)

function RejectedLinkHelp({ user }: { user: User | null }) {
  if (user?.email_verified) return <DashboardButton />
  if (user)
    return (
      <ResendVerification>
        Your email address isn’t confirmed yet. We can send a new link to <EmailAddress of={user.email} />.
      </ResendVerification>
    )
  return (
    <>
      <p>If you haven’t confirmed your email address yet, log in to get a new link.</p>
      <Button wide href="/login/?next=%2Fverify%2F">
        LOG IN
      </Button>
    </>
  )
}

const getErrorStatus = (error: Error | null): number | null => (error instanceof ApiError ? error.status : null)

function requiresPassword(error: Error | null): boolean {
  const body = error instanceof ApiError && error.status === 400 ? error.body : null
  return typeof body === 'object' && body !== null && ('password' in body || 'account_password' in body)
}

function useFinishConfirmation(onEnd: (end: LinkOutcome) => void): (end: LinkOutcome) => void {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  return (end) => {
    onEnd(end)
    // Put the outcome into the URL before reloading the account. Otherwise the guard would redirect as soon as the account had loaded.
    navigate(outcomePath(end), { replace: true })
    void reloadAccount(api, client)
  }
}

function useConfirmation(token: string | null, finish: (end: LinkOutcome) => void) {
  const api = useApi()
  const confirmMutation = useMutation({
    mutationFn: () => api.call(verifyEmail, { body: { token } }),
    onSuccess: ({ data }) => finish(data.joined ? 'joined' : 'done'),
  })
  const hasSent = useRef(false)
  const confirmLinkOnce = useEffectEvent(() => {
    if (hasSent.current || token === null) return
    hasSent.current = true
    void confirmMutation.mutate()
  })
  useEffect(() => confirmLinkOnce(), [])
  return confirmMutation
}
