import type * as OpenidClient from 'openid-client'
import { NoResponseError, type SendHttp } from '#providers/http/send-http.ts'

export type TokenClient = {
  tokenUrl: string
  clientId: string
  clientSecret: string
  clientAuth: 'basic' | 'post'
  scope: string | null
}

const tokenTimeoutMs = 8_000
/** Assumed lifetime in seconds of a token without `expires_in`. A token that expires earlier is replaced once the carrier rejects it. */
const defaultLifetimeSeconds = 300

/**
 * Requests a token using the client credentials grant from RFC 6749. The first request loads `openid-client`.
 * @throws with a cause that contains no secrets, and none of the server's text except its error code
 */
export async function requestToken(client: TokenClient, send: SendHttp): Promise<{ value: string; lifeMs: number }> {
  const openid = await import('openid-client')
  const config = createConfiguration(openid, client)
  config[openid.customFetch] = async (url, { method, headers, body, signal }) => {
    const answer = await send({
      url,
      method,
      headers,
      ...(body !== undefined && body !== null && { body: String(body) }),
      signal: signal ?? AbortSignal.timeout(tokenTimeoutMs),
    })
    /*
     * `Response` does not allow a body for a status without content, such as 204. This counts as no token, and the error reports the
     * status.
     */
    return new Response(answer.body === '' ? null : answer.body, { status: answer.status, headers: answer.headers })
  }
  try {
    const answer = await openid.clientCredentialsGrant(config, client.scope === null ? {} : { scope: client.scope })
    return { value: answer.access_token, lifeMs: (answer.expires_in ?? defaultLifetimeSeconds) * 1_000 }
  } catch (failure) {
    throw sanitiseError(openid, failure)
  }
}

function createConfiguration(openid: typeof OpenidClient, client: TokenClient): OpenidClient.Configuration {
  const { tokenUrl, clientId, clientSecret, clientAuth } = client
  const clientAuthentication = clientAuth === 'post' ? openid.ClientSecretPost : openid.ClientSecretBasic
  // OAuth discovery is not needed: the token URL is enough, and `issuer` is used only by requests that we never make.
  const server = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl }
  const config = new openid.Configuration(server, clientId, undefined, clientAuthentication(clientSecret))
  config.timeout = tokenTimeoutMs / 1_000
  // The configuration allows `http:` only for an address on this machine.
  if (tokenUrl.startsWith('http:')) openid.allowInsecureRequests(config)
  return config
}

/** Removes secrets from the library's errors, which contain the whole response. Only the HTTP status and the error code are kept. */
function sanitiseError(openid: typeof OpenidClient, failure: unknown): unknown {
  if (failure instanceof openid.ResponseBodyError) {
    const code = /^[a-z_]{1,40}$/.test(failure.error) ? ` ${failure.error}` : ''
    return new NoResponseError(`HTTP ${failure.status}${code}`)
  }
  if (failure instanceof openid.WWWAuthenticateChallengeError) return new NoResponseError(`HTTP ${failure.status}`)
  if (failure instanceof openid.ClientError) {
    const { cause } = failure
    if (cause instanceof Response) return new NoResponseError(`HTTP ${cause.status} without a token`)
    return cause instanceof Error ? cause : failure
  }
  return failure
}
