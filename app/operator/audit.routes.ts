import type { FastifyInstance } from 'fastify'
import { readAuditTrail, type AuditTrailEvent } from '#kit/server/audit-trail.ts'
import { parsePosition } from '#kit/server/pagination.ts'
import { parseInstant } from '#kit/server/parse-instant.ts'
import { isUuid } from '#kit/server/uuid.ts'
import type { Deps } from '../deps.ts'

export type AuditTrailView = { events: ReturnType<typeof presentEvent>[]; next: string | null }

type AuditTrailRequest = { Querystring: { customer?: unknown; since?: unknown; before?: unknown } }

export function auditRoutes(app: FastifyInstance, { db }: Deps): void {
  app.get<AuditTrailRequest>(
    '/audit',
    async ({ query: { customer, since, before } }, reply): Promise<AuditTrailView> => {
      const filter = customer === undefined ? sinceFilter(since) : customerFilter(customer)
      const cursor = before === undefined ? null : parsePosition(String(before))
      if (!filter || (cursor && !/^\d{1,18}$/.test(cursor.key)) || (before !== undefined && !cursor))
        return reply.status(400).send({
          why:
            'Give --customer ID or --since INSTANT, such as 2026-11-23T08:00:00Z. ' +
            'For --before, copy the value from the previous output.',
        })
      const { rows, next } = await readAuditTrail(db, filter, cursor)
      return { events: rows.map(presentEvent), next }
    },
  )
}

const customerFilter = (customer: unknown) =>
  typeof customer === 'string' && isUuid(customer) ? { userId: customer } : null

function sinceFilter(text: unknown) {
  const since = parseInstant(String(text))
  return since && { since }
}

const presentEvent = ({ at, event, user_id, actor, details }: AuditTrailEvent) => ({
  at: at.toISOString(),
  event,
  customer: user_id,
  actor: actor ?? (user_id ? 'customer' : 'visitor'),
  details,
})
