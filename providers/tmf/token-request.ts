import type * as OpenidClient from 'openid-client'
import { NoAnswer, type SendHttp } from '#providers/http/send-http.ts'

export type TokenClient = {
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** How the client proves itself: in the `Authorization` header, or in the form. */
  clientAuth: 'basic' | 'post'
  scope: string | null
}

const tokenTimeoutMs = 8_000
/** Of a token whose life the server does not tell. One that ends sooner is renewed when it is refused. */
const untoldLifeSeconds = 300

/**
 * Asks a token server for a token: client credentials of RFC 6749, by `openid-client`, which is loaded by the first request.
 * @throws with a cause that has nothing of the secret, nor of the server's own words but its error code
 */
export async function requestToken(client: TokenClient, send: SendHttp): Promise<{ value: string; lifeMs: number }> {
  const openid = await import('openid-client')
  const config = configurationOf(openid, client)
  config[openid.customFetch] = async (url, { method, headers, body, signal }) => {
    const answer = await send({
      url,
      method,
      headers,
      ...(body !== undefined && body !== null && { body: String(body) }),
      signal: signal ?? AbortSignal.timeout(tokenTimeoutMs),
    })
    // 204 and such can't have a body, and are no answer here.
    return new Response(answer.body === '' ? null : answer.body, { status: answer.status, headers: answer.headers })
  }
  try {
    const answer = await openid.clientCredentialsGrant(config, client.scope === null ? {} : { scope: client.scope })
    return { value: answer.access_token, lifeMs: (answer.expires_in ?? untoldLifeSeconds) * 1_000 }
  } catch (failure) {
    throw explained(openid, failure)
  }
}

function configurationOf(openid: typeof OpenidClient, client: TokenClient): OpenidClient.Configuration {
  const { tokenUrl, clientId, clientSecret, clientAuth } = client
  const prove = clientAuth === 'post' ? openid.ClientSecretPost : openid.ClientSecretBasic
  // Nothing is discovered: the address is all that is needed, and `issuer` is for what we never ask.
  const server = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl }
  const config = new openid.Configuration(server, clientId, undefined, prove(clientSecret))
  config.timeout = tokenTimeoutMs / 1_000
  // The settings allow it for an address of this machine only.
  if (tokenUrl.startsWith('http:')) openid.allowInsecureRequests(config)
  return config
}

/** What the library throws has the whole answer with it: of that only the status and the code of the error are kept. */
function explained(openid: typeof OpenidClient, failure: unknown): unknown {
  if (failure instanceof openid.ResponseBodyError) {
    const code = /^[a-z_]{1,40}$/.test(failure.error) ? ` ${failure.error}` : ''
    return new NoAnswer(`HTTP ${failure.status}${code}`)
  }
  if (failure instanceof openid.WWWAuthenticateChallengeError) return new NoAnswer(`HTTP ${failure.status}`)
  if (failure instanceof openid.ClientError) {
    const { cause } = failure
    if (cause instanceof Response) return new NoAnswer(`HTTP ${cause.status} without a token`)
    return cause instanceof Error ? cause : failure
  }
  return failure
}
