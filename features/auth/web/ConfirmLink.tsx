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
import { FailureBanner } from './FailureBanner.tsx'
import { Resend } from './Resend.tsx'
import { confirmedPath } from './verify-link.ts'
import s from './DoorFrame.module.css'

/** Sends the link's token once the page is alive: a scanner that only opens links uses nothing up. Without one that has been done. */
export function ConfirmLink({ token, user }: { token: string | null; user: User | null }) {
  const confirm = useConfirmation(token)
  const isDone = token === null || confirm.isSuccess
  const isRefused = confirm.error instanceof ApiError && confirm.error.status === 400
  return (
    <div className={s.said}>
      <div role="status">
        {isDone && <Banner kind="good">{verifyMessages.done}</Banner>}
        {confirm.isError && <FailureBanner error={confirm.error} />}
        {!isDone && !confirm.isError && <><p>One moment, we are confirming your email address.</p><LongWait /></>}
      </div>
      {confirm.isError && !isRefused && <Button wide onClick={() => void confirm.mutate()}>Try Again</Button>}
      {isDone && (user ? <ToDashboard /> : <Button wide href="/login/">LOG IN</Button>)}
      {isRefused && <AfterRefusal user={user} />}
    </div>
  )
}

const ToDashboard = () => <Button wide href="/">Go to my dashboard</Button>

function AfterRefusal({ user }: { user: User | null }) {
  if (user?.email_verified) return <ToDashboard />
  if (user) return <Resend>Your email address is not confirmed yet. Have a new link sent to <EmailAddress of={user.email} />.</Resend>
  return (
    <>
      <p>If your email address is not confirmed yet, log in to have a new link sent.</p>
      <Button wide href="/login/?next=%2Fverify%2F">LOG IN</Button>
    </>
  )
}

/** Begins by itself, once. Afterwards the token is gone from the address bar, and with it from the history. */
function useConfirmation(token: string | null) {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const confirm = useMutation({
    mutationFn: () => api.call(verifyEmail, { body: { token } }),
    onSuccess() {
      // In this order: without a word of the link the guard would lead away as soon as it knows.
      navigate(confirmedPath, { replace: true })
      void reloadAccount(api, client)
    },
  })
  const sent = useRef(false)
  const send = useEffectEvent(() => {
    if (sent.current || token === null) return
    sent.current = true
    void confirm.mutate()
  })
  useEffect(() => send(), [])
  return confirm
}
