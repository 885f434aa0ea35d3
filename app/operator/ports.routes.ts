import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { parseLocalInstant, parseInstant } from '#kit/server/parse-instant.ts'
import { cancelPort } from '#features/porting/server/cancel-port.ts'
import { findListedPort, listPorts } from '#features/porting/server/port-list.store.ts'
import { resubmitPort } from '#features/porting/server/resubmit-port.ts'
import { type PortingStatus, portingStatuses } from '#features/porting/porting.states.ts'
import type { Deps } from '../deps.ts'
import { findPort } from './find-port.ts'
import { presentPort, presentPortRow } from './ports.present.ts'
import { getRequestActor, sendOutcome } from './request.ts'

const pageSize = 50

const statusesByFilter: Record<string, readonly PortingStatus[]> = {
  open: ['NEW', 'SUBMITTED', 'CANCELLING'],
  '': ['NEW', 'SUBMITTED', 'CANCELLING', 'FAILED'],
  all: portingStatuses,
  ...Object.fromEntries(portingStatuses.map((status) => [status.toLowerCase(), [status]])),
}

type PortParams = { Params: { port: string } }
type ListQuery = { Querystring: { status?: unknown; since?: unknown; after?: unknown } }

const textSchema = v.optional(v.pipe(v.string(), v.maxLength(100)))
const correctionSchema = v.strictObject({
  msisdn: textSchema,
  provider: textSchema,
  prepaid_sim_number: textSchema,
  account_number: textSchema,
})

export function portRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<ListQuery>('/ports', async ({ query }, reply) => {
    const status = typeof query.status === 'string' ? query.status.toLowerCase() : ''
    const statuses = Object.hasOwn(statusesByFilter, status) ? statusesByFilter[status] : undefined
    if (!statuses)
      return sendError(
        reply,
        400,
        `--status must be one of ${Object.keys(statusesByFilter).filter(Boolean).join(', ')}.`,
      )
    const since = query.since === undefined ? undefined : parseSince(deps, String(query.since))
    if (since === null) return sendError(reply, 400, 'Write --since like 2026-11-23 or 2026-11-23T09:00:00Z.')
    const after = query.after === undefined ? undefined : await findListedPort(deps.db, String(query.after))
    if (query.after !== undefined && !after)
      return sendError(reply, 404, 'Invalid cursor. Copy the value after --after from the previous output.')
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

  app.get<PortParams>('/ports/:port', async ({ params }, reply) => {
    const found = await findPort(deps, params.port)
    return 'why' in found ? sendError(reply, found.status, found.why) : presentPort(deps, found)
  })

  app.post<PortParams>('/ports/:port/cancel', async (request, reply) => {
    const found = await findPort(deps, request.params.port)
    if ('why' in found) return sendError(reply, found.status, found.why)
    return sendOutcome(reply, await cancelPort(deps, found.external_id, getRequestActor(request)))
  })

  app.post<PortParams>('/ports/:port/resubmit', async (request, reply) => {
    const found = await findPort(deps, request.params.port)
    if ('why' in found) return sendError(reply, found.status, found.why)
    const correction = v.safeParse(correctionSchema, request.body ?? {})
    if (!correction.success) return sendError(reply, 400, 'The request was not valid.')
    const resubmission = { externalId: found.external_id, correction: correction.output }
    return sendOutcome(reply, await resubmitPort(deps, resubmission, getRequestActor(request)))
  })
}

const sendError = (reply: FastifyReply, status: number, why: string) => reply.status(status).send({ why })

const parseSince = ({ market }: Deps, text: string): Temporal.Instant | null =>
  parseLocalInstant(text, market.zone) ?? parseInstant(text)
