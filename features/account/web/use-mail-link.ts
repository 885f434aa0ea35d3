import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { navigate, useRawLocation } from '#kit/web/router/location.ts'

type Options<T> = {
  /** Whether it is certain that the visitor stays on this page: a page to log in on still needs the token in its address. */
  ready: boolean
  follow: (token: string) => Promise<T>
  onSuccess: (answer: T) => void
}

export type MailLink = {
  /** `none`: the page was opened without a token. `refused`: the token is no longer good. `failed`: that is not known. */
  status: 'none' | 'pending' | 'done' | 'refused' | 'failed'
  error: Error | null
  retry: () => void
}

/** Sends the token of a mail's link, once: by script, so that a scanner which only opens links uses nothing up. */
export function useMailLink<T>({ ready, follow, onSuccess }: Options<T>): MailLink {
  const { search } = useRawLocation()
  // Kept from the first look: the token leaves the address bar, so that it is in no history and no screenshot.
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  const { error, isSuccess, mutate } = useMutation({ mutationFn: () => follow(token), onSuccess })

  const sent = useRef(false)
  const send = useEffectEvent(() => {
    if (sent.current || !token) return
    sent.current = true
    navigate(location.pathname, { replace: true, state: history.state })
    void mutate()
  })
  useEffect(() => {
    if (ready) send()
  }, [ready])

  return { status: statusOf(), error, retry: () => void mutate() }

  function statusOf(): MailLink['status'] {
    if (!token) return 'none'
    if (isSuccess) return 'done'
    if (!error) return 'pending'
    return error instanceof ApiError && error.status === 400 ? 'refused' : 'failed'
  }
}
