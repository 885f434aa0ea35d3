import type { FastifyInstance } from 'fastify'
import { readTrail, type TrailEvent } from '#kit/server/audit-trail.ts'
import { readPlace } from '#kit/server/page.ts'
import { readInstant } from '#kit/server/typed-instant.ts'
import { isUuid } from '#kit/server/uuid.ts'
import type { Deps } from '../deps.ts'

export type TrailView = { events: ReturnType<typeof presentEvent>[]; next: string | null }

type Asked = { Querystring: { customer?: unknown; since?: unknown; before?: unknown } }

export function auditRoutes(app: FastifyInstance, { db }: Deps): void {
  app.get<Asked>('/audit', async ({ query: { customer, since, before } }, reply): Promise<TrailView> => {
    const of = customer === undefined ? sinceOf(since) : userOf(customer)
    const place = before === undefined ? null : readPlace(String(before))
    if (!of || (place && !/^\d{1,18}$/.test(place.key)) || (before !== undefined && !place))
      return reply.status(400).send({
        why: 'Give --customer ID or --since INSTANT, such as 2026-11-23T08:00:00Z. For --before, copy the value from the previous output.',
      })
    const { rows, next } = await readTrail(db, of, place)
    return { events: rows.map(presentEvent), next }
  })
}

const userOf = (customer: unknown) => (typeof customer === 'string' && isUuid(customer) ? { userId: customer } : null)

function sinceOf(text: unknown) {
  const since = readInstant(String(text))
  return since && { since }
}

const presentEvent = ({ at, event, user_id, actor, details }: TrailEvent) => ({
  at: at.toISOString(),
  event,
  customer: user_id,
  actor: actor ?? (user_id ? 'customer' : 'visitor'),
  details,
})
