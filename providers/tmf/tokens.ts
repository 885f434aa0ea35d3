import { causeOf, NoAnswer, type SendHttp } from '#providers/http/send-http.ts'
import { requestToken, type TokenClient } from './token-request.ts'

export type Tokens = {
  /** A token that is good now. @throws when there is none, or the signal ends the wait */
  get(signal: AbortSignal): Promise<string>
  /** The carrier refuses this one. */
  drop(token: string): void
}

type Token = { value: string; renewAt: number; endsAt: number }

/** Long enough for what goes wrong with a token server now and then, unless the token itself is short-lived. */
const renewBeforeMs = 60_000
const leastBetweenTriesMs = 1_000

/**
 * Keeps one token for all who call. It is renewed before its end, by one request for however many wait; until the new one
 * is there the old one serves, so that a token server that is away for a moment stops nobody.
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
      // Another call may have had it renewed already.
      if (current?.value === token) current = null
    },
  }
}

/** Half-way to its end, and at its end at the latest. */
const nextTry = ({ endsAt }: Token, now: number): number =>
  Math.min(endsAt, now + Math.max(leastBetweenTriesMs, (endsAt - now) / 2))

/** Who waits for a token that others wait for too has a time of their own. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new NoAnswer(`no token: ${causeOf(signal.reason)}`))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
