import { describeCause, NoResponseError, type SendHttp } from '#providers/http/send-http.ts'
import { requestToken, type TokenClient } from './token-request.ts'

export type TokenCache = {
  /**
   * Returns a valid token.
   * @throws if no token can be obtained, or if the signal aborts the wait
   */
  get(signal: AbortSignal): Promise<string>
  drop(token: string): void
}

type Token = { value: string; renewAt: number; endsAt: number }

/**
 * A token is renewed this many milliseconds before it expires, to leave time to recover from a brief failure of the token server. A
 * short-lived token is renewed in the last fifth of its lifetime.
 */
const renewBeforeMs = 60_000
const minRetryMs = 1_000

/**
 * Creates a cache that shares one token between all callers. The token is renewed before it expires, with a single request for all waiting
 * callers. The old token is used until the new one arrives, so a brief failure of the token server does not stop any caller.
 */
export function createTokenCache(client: TokenClient, send: SendHttp, now = () => performance.now()): TokenCache {
  let current: Token | null = null
  let renewal: Promise<Token> | null = null

  const renew = (): Promise<Token> =>
    (renewal ??= fetchToken().finally(() => {
      renewal = null
    }))

  async function fetchToken(): Promise<Token> {
    try {
      const { value, lifeMs } = await requestToken(client, send)
      const receivedAt = now()
      current = {
        value,
        renewAt: receivedAt + lifeMs - Math.min(renewBeforeMs, lifeMs / 5),
        endsAt: receivedAt + lifeMs,
      }
      return current
    } catch (failure) {
      if (current) current.renewAt = computeNextAttempt(current, now())
      throw new NoResponseError(`no token: ${describeCause(failure)}`)
    }
  }

  return {
    async get(signal) {
      if (current && now() < current.renewAt) return current.value
      const pendingRenewal = renew()
      if (current && now() < current.endsAt) {
        pendingRenewal.catch(() => {})
        return current.value
      }
      return (await rejectOnAbort(pendingRenewal, signal)).value
    },
    drop(token) {
      // Another caller may already have renewed the token.
      if (current?.value === token) current = null
    },
  }
}

const computeNextAttempt = ({ endsAt }: Token, now: number): number =>
  Math.min(endsAt, now + Math.max(minRetryMs, (endsAt - now) / 2))

function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new NoResponseError(`no token: ${describeCause(signal.reason)}`))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
