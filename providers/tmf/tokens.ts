import { causeOf, NoAnswer, type SendHttp } from '#providers/http/send-http.ts'
import { requestToken, type TokenClient } from './token-request.ts'

export type Tokens = {
  /** @throws if there is no token, or if the signal aborts the wait */
  get(signal: AbortSignal): Promise<string>
  drop(token: string): void
}

type Token = { value: string; renewAt: number; endsAt: number }

/** Leaves time to recover from a brief failure of the token server. A short-lived token is renewed in the last fifth of its life. */
const renewBeforeMs = 60_000
const leastBetweenTriesMs = 1_000

/**
 * Shares one token between all calls. The token is renewed before its end, with a single request for all waiting calls.
 * The old token is used until the new one arrives, so a brief failure of the token server stops no call.
 */
export function createTokens(client: TokenClient, send: SendHttp, now = () => performance.now()): Tokens {
  let current: Token | null = null
  let renewal: Promise<Token> | null = null

  const renew = (): Promise<Token> =>
    (renewal ??= fetchToken().finally(() => {
      renewal = null
    }))

  async function fetchToken(): Promise<Token> {
    try {
      const { value, lifeMs } = await requestToken(client, send)
      const asked = now()
      current = { value, renewAt: asked + lifeMs - Math.min(renewBeforeMs, lifeMs / 5), endsAt: asked + lifeMs }
      return current
    } catch (failure) {
      if (current) current.renewAt = nextTry(current, now())
      throw new NoAnswer(`no token: ${causeOf(failure)}`)
    }
  }

  return {
    async get(signal) {
      if (current && now() < current.renewAt) return current.value
      const renewing = renew()
      if (current && now() < current.endsAt) {
        renewing.catch(() => {})
        return current.value
      }
      return (await unlessAborted(renewing, signal)).value
    },
    drop(token) {
      // Another call may have renewed the token already.
      if (current?.value === token) current = null
    },
  }
}

const nextTry = ({ endsAt }: Token, now: number): number =>
  Math.min(endsAt, now + Math.max(leastBetweenTriesMs, (endsAt - now) / 2))

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new NoAnswer(`no token: ${causeOf(signal.reason)}`))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
