import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { navigate, useRawLocation } from '#kit/web/router/location.ts'

type Options<T> = {
  /**
   * False while the visitor may still be redirected to the login page. The token is left in the URL while this is false, so that the
   * redirect can preserve it.
   */
  ready: boolean
  follow: (token: string) => Promise<T>
  onSuccess: (answer: T) => void
}

export type MailLink = {
  /**
   * `none`: the page was opened without a token. `refused`: the token is no longer valid. `failed`: no usable response,
   * so the outcome is unknown.
   */
  status: 'none' | 'pending' | 'done' | 'refused' | 'failed'
  error: Error | null
  retry: () => void
}

/**
 * Submits the token from an emailed link, once per page load. Submitting from a script means that a mail scanner which
 * merely opens the link cannot use up the token.
 */
export function useMailLink<T>({ ready, follow, onSuccess }: Options<T>): MailLink {
  const { search } = useRawLocation()
  // Remember the initial token, because it is then removed from the URL to keep it out of the browser history and screenshots.
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  const { error, isSuccess, mutate } = useMutation({ mutationFn: () => follow(token), onSuccess })

  const hasSent = useRef(false)
  const confirmLinkOnce = useEffectEvent(() => {
    if (hasSent.current || !token) return
    hasSent.current = true
    navigate(location.pathname, { replace: true, state: history.state })
    void mutate()
  })
  useEffect(() => {
    if (ready) confirmLinkOnce()
  }, [ready])

  return { status: getLinkStatus(), error, retry: () => void mutate() }

  function getLinkStatus(): MailLink['status'] {
    if (!token) return 'none'
    if (isSuccess) return 'done'
    if (!error) return 'pending'
    return error instanceof ApiError && error.status === 400 ? 'refused' : 'failed'
  }
}
