import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { navigate, useRawLocation } from '#kit/web/router/location.ts'

type Options<T> = {
  /**
   * Whether the visitor will stay on this page. Until then the token must stay in the URL, for a redirect to the login
   * page.
   */
  ready: boolean
  follow: (token: string) => Promise<T>
  onSuccess: (answer: T) => void
}

export type MailLink = {
  /**
   * `none`: the page was opened without a token. `refused`: the token is no longer valid. `failed`: the outcome is
   * unknown.
   */
  status: 'none' | 'pending' | 'done' | 'refused' | 'failed'
  error: Error | null
  retry: () => void
}

/**
 * Sends the token from an emailed link once. A script sends it, so that a mail scanner that only opens links cannot use
 * it up.
 */
export function useMailLink<T>({ ready, follow, onSuccess }: Options<T>): MailLink {
  const { search } = useRawLocation()
  // Keep the initial token, because it is removed from the URL so that it appears in no history or screenshot.
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  const { error, isSuccess, mutate } = useMutation({ mutationFn: () => follow(token), onSuccess })

  const hasSent = useRef(false)
  const confirmOnce = useEffectEvent(() => {
    if (hasSent.current || !token) return
    hasSent.current = true
    navigate(location.pathname, { replace: true, state: history.state })
    void mutate()
  })
  useEffect(() => {
    if (ready) confirmOnce()
  }, [ready])

  return { status: statusOf(), error, retry: () => void mutate() }

  function statusOf(): MailLink['status'] {
    if (!token) return 'none'
    if (isSuccess) return 'done'
    if (!error) return 'pending'
    return error instanceof ApiError && error.status === 400 ? 'refused' : 'failed'
  }
}
