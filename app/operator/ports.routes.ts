import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { instantOf, readInstant } from '#kit/server/typed-instant.ts'
import { cancelPort } from '#features/porting/server/cancel-port.ts'
import { findListedPort, listPorts } from '#features/porting/server/port-list.store.ts'
import { resubmitPort } from '#features/porting/server/resubmit-port.ts'
import { type PortingStatus, portingStatuses } from '#features/porting/porting.states.ts'
import type { Deps } from '../deps.ts'
import { findPort } from './find-port.ts'
import { presentPort, presentPortRow } from './ports.present.ts'
import { actorOf, answer } from './request.ts'

const pageSize = 50

const named: Record<string, readonly PortingStatus[]> = {
  open: ['NEW', 'SUBMITTED', 'CANCELLING'],
  '': ['NEW', 'SUBMITTED', 'CANCELLING', 'FAILED'],
  all: portingStatuses,
  ...Object.fromEntries(portingStatuses.map((status) => [status.toLowerCase(), [status]])),
}

type Asked = { Params: { port: string } }
type Listed = { Querystring: { status?: unknown; since?: unknown; after?: unknown } }

const text = v.optional(v.pipe(v.string(), v.maxLength(100)))
const correctionSchema = v.strictObject({
  msisdn: text,
  provider: text,
  prepaid_sim_number: text,
  account_number: text,
})

export function portRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<Listed>('/ports', async ({ query }, reply) => {
    const status = typeof query.status === 'string' ? query.status.toLowerCase() : ''
    const statuses = Object.hasOwn(named, status) ? named[status] : undefined
    if (!statuses)
      return refuse(reply, 400, `--status must be one of ${Object.keys(named).filter(Boolean).join(', ')}.`)
    const since = query.since === undefined ? undefined : sinceOf(deps, String(query.since))
    if (since === null) return refuse(reply, 400, 'Write --since like 2026-11-23 or 2026-11-23T09:00:00Z.')
    const after = query.after === undefined ? undefined : await findListedPort(deps.db, String(query.after))
    if (query.after !== undefined && !after)
      return refuse(reply, 404, 'Invalid cursor. Copy the value after --after from the previous output.')
    const found = await listPorts(deps.db, {
      statuses,
      ...(since && { since }),
      ...(after && { after }),
      limit: pageSize + 1,
    })
    const page = found.slice(0, pageSize)
    return {
      ports: page.map((port) => presentPortRow(deps, port)),
      next: found.length > pageSize ? (page.at(-1)?.external_id ?? null) : null,
    }
  })

  app.get<Asked>('/ports/:port', async ({ params }, reply) => {
    const found = await findPort(deps, params.port)
    return 'why' in found ? refuse(reply, found.status, found.why) : presentPort(deps, found)
  })

  app.post<Asked>('/ports/:port/cancel', async (request, reply) => {
    const found = await findPort(deps, request.params.port)
    if ('why' in found) return refuse(reply, found.status, found.why)
    return answer(reply, await cancelPort(deps, found.external_id, actorOf(request)))
  })

  app.post<Asked>('/ports/:port/resubmit', async (request, reply) => {
    const found = await findPort(deps, request.params.port)
    if ('why' in found) return refuse(reply, found.status, found.why)
    const correction = v.safeParse(correctionSchema, request.body ?? {})
    if (!correction.success) return refuse(reply, 400, 'The request was not valid.')
    const asked = { externalId: found.external_id, correction: correction.output }
    return answer(reply, await resubmitPort(deps, asked, actorOf(request)))
  })
}

const refuse = (reply: FastifyReply, status: number, why: string) => reply.status(status).send({ why })

const sinceOf = ({ market }: Deps, text: string): Temporal.Instant | null =>
  instantOf(text, market.zone) ?? readInstant(text)
