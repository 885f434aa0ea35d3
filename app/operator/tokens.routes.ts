import type { FastifyInstance } from 'fastify'
import { realNow } from '#kit/server/clock.ts'
import { listTokens, type OperatorToken, tokenScopes } from '#features/operator-tokens/server/operator-tokens.store.ts'
import { revokeOperatorToken, createOperatorToken } from '#features/operator-tokens/server/operator-tokens.ts'
import type { Deps } from '../deps.ts'
import { parseLocalInstant } from '#kit/server/parse-instant.ts'
import { getRequestActor, cleanName } from './request.ts'

export type TokenView = ReturnType<typeof presentToken>

const maxTokensShown = 100
const maxDays = 366

/**
 * Routes that create and revoke tokens. They are served only on the host that runs the application, so a token can never be used to create
 * more tokens.
 */
export function tokenRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/tokens', async () => (await listTokens(deps.db, maxTokensShown)).map(presentToken))
  app.post<{ Body: { name?: unknown; scope?: unknown; expires?: unknown } | null }>(
    '/tokens',
    async (request, reply) => {
      const { name, scope, expires } = request.body ?? {}
      const holderName = typeof name === 'string' ? cleanName(name) : ''
      if (!holderName) return reply.status(400).send({ why: 'Give the name of the person who will use the token.' })
      const requestedScope = tokenScopes.find((known) => known === scope)
      if (!requestedScope) return reply.status(400).send({ why: `--scope must be one of ${tokenScopes.join(', ')}.` })
      const expiresAt = typeof expires === 'string' ? parseLocalInstant(expires, deps.market.zone) : null
      const now = realNow()
      if (!expiresAt || expiresAt.epochMilliseconds <= now.epochMilliseconds)
        return reply.status(400).send({ why: 'Give a future day for --expires, such as 2027-06-30.' })
      if (expiresAt.since(now).total('days') > maxDays)
        return reply.status(400).send({ why: 'A token can be valid for at most a year.' })
      const { token, row } = await createOperatorToken(deps, {
        name: holderName,
        scope: requestedScope,
        expiresAt,
        actor: getRequestActor(request),
      })
      return { token, ...presentToken(row) }
    },
  )
  app.post<{ Params: { name: string } }>('/tokens/:name/revoke', async (request, reply) => {
    const isEnded = await revokeOperatorToken(deps, {
      name: cleanName(request.params.name),
      actor: getRequestActor(request),
    })
    return isEnded ? {} : reply.status(404).send({ why: 'Nobody with that name has a token.' })
  })
}

const presentToken = (token: OperatorToken) => ({
  name: token.name,
  scope: token.scope,
  made: token.made_at.toISOString(),
  by: token.made_by,
  until: token.expires_at.toISOString(),
  used: token.last_used_at?.toISOString() ?? null,
  revoked: token.revoked_at?.toISOString() ?? null,
})
