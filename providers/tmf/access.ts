import { createSendHttp, type HttpAnswer, type HttpRequest, type Tls } from '#providers/http/send-http.ts'
import type { TokenClient } from './token-request.ts'
import { createTokens } from './tokens.ts'

export type AccessOptions = {
  credentials:
    | { kind: 'none' }
    /** If `header` is `null`, the key is sent as `Authorization: Bearer …`. */
    | { kind: 'header'; header: string | null; key: string }
    | { kind: 'basic'; user: string; password: string }
    | ({ kind: 'oauth2' } & TokenClient)
  tls: Tls
}

/** `timeoutMs` covers the whole call, including the request for a token. */
export type AccessRequest = Omit<HttpRequest, 'signal'> & { timeoutMs: number }

/** Rejects if there was no response; `causeOf` gives the cause. */
export type Access = (request: AccessRequest) => Promise<HttpAnswer>

/** Use one for all calls to a carrier, because it holds the connections and the token. */
export function openAccess({ credentials, tls }: AccessOptions): Access {
  const send = createSendHttp(tls)
  if (credentials.kind === 'oauth2') return withTokens(send, createTokens(credentials, send))
  const proof = proofOf(credentials)
  return ({ timeoutMs, headers, ...request }) =>
    send({ ...request, headers: { ...headers, ...proof }, signal: AbortSignal.timeout(timeoutMs) })
}

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
 * The carrier may have revoked a token before its end. After a 401 the call is repeated once with a new token.
 * The repeat is harmless: a call that got 401 did nothing, and each call carries an id of ours.
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
