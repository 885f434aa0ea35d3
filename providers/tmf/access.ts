import { createSendHttp, type HttpResponse, type HttpRequest, type TlsOptions } from '#providers/http/send-http.ts'
import type { TokenClient } from './token-request.ts'
import { createTokenCache } from './token-cache.ts'

export type AccessOptions = {
  credentials:
    | { kind: 'none' }
    /** If `header` is `null`, the key is sent as `Authorization: Bearer …`. */
    | { kind: 'header'; header: string | null; key: string }
    | { kind: 'basic'; user: string; password: string }
    | ({ kind: 'oauth2' } & TokenClient)
  tls: TlsOptions
}

/** A request to a carrier. `timeoutMs` covers the whole request, including fetching a token. */
export type CarrierRequest = Omit<HttpRequest, 'signal'> & { timeoutMs: number }

/** Sends a request to a carrier. Rejects if there was no response; `describeCause` returns the cause. */
export type CarrierAccess = (request: CarrierRequest) => Promise<HttpResponse>

/** Creates access to a carrier. Use the same access for all requests to that carrier, because it holds the connections and the token. */
export function createCarrierAccess({ credentials, tls }: AccessOptions): CarrierAccess {
  const send = createSendHttp(tls)
  if (credentials.kind === 'oauth2') return createTokenAccess(send, createTokenCache(credentials, send))
  const credentialHeaders = buildCredentialHeaders(credentials)
  return ({ timeoutMs, headers, ...request }) =>
    send({ ...request, headers: { ...headers, ...credentialHeaders }, signal: AbortSignal.timeout(timeoutMs) })
}

export const createAnonymousAccess = (): CarrierAccess =>
  createCarrierAccess({ credentials: { kind: 'none' }, tls: { cert: null, key: null, ca: null } })

type StaticCredentials = Exclude<AccessOptions['credentials'], { kind: 'oauth2' }>

function buildCredentialHeaders(credentials: StaticCredentials): Record<string, string> {
  if (credentials.kind === 'none') return {}
  if (credentials.kind === 'header') {
    const { header, key } = credentials
    return header ? { [header]: key } : { Authorization: `Bearer ${key}` }
  }
  const { user, password } = credentials
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

/**
 * A carrier may revoke a token before it expires. After a 401, the request is repeated once with a new token. That is harmless, because a
 * request that got a 401 did nothing, and each request carries an id of ours.
 */
function createTokenAccess(
  send: ReturnType<typeof createSendHttp>,
  tokens: ReturnType<typeof createTokenCache>,
): CarrierAccess {
  return async ({ timeoutMs, headers, ...request }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const sendWithToken = (token: string): Promise<HttpResponse> =>
      send({ ...request, headers: { ...headers, Authorization: `Bearer ${token}` }, signal })
    const token = await tokens.get(signal)
    const answer = await sendWithToken(token)
    if (answer.status !== 401) return answer
    tokens.drop(token)
    return sendWithToken(await tokens.get(signal))
  }
}
