import type { FastifyInstance } from 'fastify'
import type { ServerTls } from './server.ts'
import { verifyToken } from './token.ts'

export type RequiredCredentials =
  | { kind: 'none' }
  /** Requires the named header to have exactly this value, such as `Bearer abc` in `Authorization`. */
  | { kind: 'header'; header: string; value: string }
  | { kind: 'basic'; user: string; password: string }
  | { kind: 'oauth2'; tokenSecret: string; scope?: string }

export type SimulatorAccess = { demand?: RequiredCredentials; tls?: ServerTls }

/**
 * Requires credentials for every request except those to the simulator's own controls. If tokens are required, POST
 * `/_simulator/revoke-tokens` revokes all tokens that have been used so far, along with any issued earlier.
 */
export function requireCredentials(app: FastifyInstance, { demand = { kind: 'none' } }: SimulatorAccess = {}): void {
  if (demand.kind === 'none') return
  const isAuthorised = demand.kind === 'oauth2' ? createTokenCheck(app, demand) : createStaticCredentialCheck(demand)
  const scheme = { header: 'ApiKey', basic: 'Basic', oauth2: 'Bearer' }[demand.kind]
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/_simulator/') || isAuthorised(request.headers)) return
    reply.header('www-authenticate', `${scheme} realm="simulator"`)
    return reply.code(401).send({ code: 'UNAUTHENTICATED', reason: 'The credentials are missing or invalid.' })
  })
}

type CredentialCheck = (headers: Record<string, string | string[] | undefined>) => boolean

function createStaticCredentialCheck(
  demand: Extract<RequiredCredentials, { kind: 'header' | 'basic' }>,
): CredentialCheck {
  if (demand.kind === 'header') return (headers) => headers[demand.header.toLowerCase()] === demand.value
  const expectedHeader = `Basic ${Buffer.from(`${demand.user}:${demand.password}`).toString('base64')}`
  return ({ authorization }) => authorization === expectedHeader
}

function createTokenCheck(
  app: FastifyInstance,
  demand: Extract<RequiredCredentials, { kind: 'oauth2' }>,
): CredentialCheck {
  let lastRevoked = 0
  let newest = 0
  app.post('/_simulator/revoke-tokens', async (_request, reply) => {
    lastRevoked = newest
    return reply.code(204).send()
  })
  return ({ authorization = '' }) => {
    const token = verifyToken(String(authorization).replace(/^Bearer /, ''), demand.tokenSecret)
    if (!token) return false
    newest = Math.max(newest, token.id)
    const isInScope = demand.scope === undefined || (token.scope ?? '').split(' ').includes(demand.scope)
    return token.id > lastRevoked && token.endsAt > Date.now() && isInScope
  }
}
