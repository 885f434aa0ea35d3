import { createSendHttp, type HttpAnswer, type HttpRequest, type Tls } from '#providers/http/send-http.ts'
import type { TokenClient } from './token-request.ts'
import { createTokens } from './tokens.ts'

/** How calls to a carrier are authenticated. */
export type AccessOptions = {
  credentials:
    | { kind: 'none' }
    /** Without a header of its own the key is sent as `Authorization: Bearer …`. */
    | { kind: 'header'; header: string | null; key: string }
    | { kind: 'basic'; user: string; password: string }
    | ({ kind: 'oauth2' } & TokenClient)
  tls: Tls
}

/** A request without what proves who sends it. `timeoutMs` is for all that it takes, a token included. */
export type AccessRequest = Omit<HttpRequest, 'signal'> & { timeoutMs: number }

/** Sends a request as somebody whom the carrier knows. It throws when there was no answer; `causeOf` says why. */
export type Access = (request: AccessRequest) => Promise<HttpAnswer>

/** Opens the way to a carrier. One for all calls to it: it keeps the connections and the token. */
export function openAccess({ credentials, tls }: AccessOptions): Access {
  const send = createSendHttp(tls)
  if (credentials.kind === 'oauth2') return withTokens(send, createTokens(credentials, send))
  const proof = proofOf(credentials)
  return ({ timeoutMs, headers, ...request }) =>
    send({ ...request, headers: { ...headers, ...proof }, signal: AbortSignal.timeout(timeoutMs) })
}

/** The way to a carrier that asks nobody who they are. */
export const openWithoutCredentials = (): Access =>
  openAccess({ credentials: { kind: 'none' }, tls: { cert: null, key: null, ca: null } })

type Fixed = Exclude<AccessOptions['credentials'], { kind: 'oauth2' }>

function proofOf(credentials: Fixed): Record<string, string> {
  if (credentials.kind === 'none') return {}
  if (credentials.kind === 'header') {
    const { header, key } = credentials
    return header ? { [header]: key } : { Authorization: `Bearer ${key}` }
  }
  const { user, password } = credentials
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

/**
 * A token that the carrier refuses may have been revoked: the call is repeated once with a new one. That is harmless, as a
 * call that was refused did nothing and each carries an id of ours.
 */
function withTokens(send: ReturnType<typeof createSendHttp>, tokens: ReturnType<typeof createTokens>): Access {
  return async ({ timeoutMs, headers, ...request }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const sendWith = (token: string): Promise<HttpAnswer> =>
      send({ ...request, headers: { ...headers, Authorization: `Bearer ${token}` }, signal })
    const token = await tokens.get(signal)
    const answer = await sendWith(token)
    if (answer.status !== 401) return answer
    tokens.drop(token)
    return sendWith(await tokens.get(signal))
  }
}
