import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { ErrorScreen } from '#kit/web/screens/ErrorScreen.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { verifyEmail, verifyMessages } from '../verify.contract.ts'
import s from './verify.module.css'

/** Where the link in a mail leads: the page sends the token, once its script has arrived. */
export default function VerifyPage() {
  const api = useApi()
  const [search] = useSearchParams()
  // Kept from the first look: the token leaves the address bar, so that it is in no history and no screenshot.
  const [token] = useState(() => search.get('token') ?? '')
  const confirm = useMutation({ mutationFn: () => api.call(verifyEmail, { body: { token } }) })

  const sent = useRef(false)
  const send = useEffectEvent(() => {
    if (sent.current) return
    sent.current = true
    history.replaceState(history.state, '', location.pathname)
    confirm.mutate()
  })
  useEffect(() => send(), [])

  const isRefused = confirm.error instanceof ApiError && confirm.error.status === 400
  if (confirm.isError && !isRefused) return <ErrorScreen onRetry={() => confirm.mutate()} />
  return (
    <Card>
      <div className={s.verify}>
        <h1>Confirm Your Email Address</h1>
        <div role="status">
          {confirm.isSuccess && <Banner kind="good">{verifyMessages.done}</Banner>}
          {isRefused && <Banner kind="bad">{verifyMessages.invalid}</Banner>}
          {!confirm.isSuccess && !confirm.isError && <p>One moment, we are confirming your email address.</p>}
        </div>
        {confirm.isSuccess && <Button href="/">Go to my dashboard</Button>}
      </div>
    </Card>
  )
}
