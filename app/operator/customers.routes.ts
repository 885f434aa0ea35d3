import type { FastifyInstance } from 'fastify'
import { parsePosition } from '#kit/server/pagination.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import {
  blockCustomer,
  signOutCustomer,
  unblockCustomer,
  unlockCustomer,
} from '#features/customers/server/customers.ts'
import { eraseCustomer, describeErasureBlockers, repeatErasures } from '#features/customers/server/erase-customer.ts'
import { exportCustomer } from '#features/customers/server/export-customer.ts'
import { presentSearchResult } from '#features/customers/server/customers.present.ts'
import { findCustomers } from '#features/customers/server/find-customers.ts'
import { resendMessage } from '#features/customers/server/resend-message.ts'
import { maxSearchLength } from '#features/customers/server/parse-search.ts'
import { showCustomer } from '#features/customers/server/show-customer.ts'
import { cancelErasureByStaff } from '#features/privacy/server/erasure.ts'
import type { Deps } from '../deps.ts'
import { getRequestActor, sendOutcome } from './request.ts'

export type FoundCustomerView = ReturnType<typeof presentSearchResult>
export type CustomerView = NonNullable<Awaited<ReturnType<typeof showCustomer>>>

type IdParams = { Params: { id: string } }
type TextQuery = { Querystring: { text?: unknown } }
type CursorQuery = { Querystring: { before?: unknown } }

const noSuchCustomer = { why: 'There is no customer with this ID.' }
const invalidCursor = { why: 'Invalid cursor. Copy the value after --before from the previous output.' }

export function customerRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<TextQuery>('/customers', async ({ query: { text } }, reply) => {
    if (typeof text !== 'string' || text.length > maxSearchLength)
      return reply.status(400).send({ why: 'That search text is too long.' })
    return (await findCustomers(deps, text)).map(presentSearchResult)
  })
  app.get<IdParams & CursorQuery>('/customers/:id', async ({ params: { id }, query: { before } }, reply) => {
    const cursor = before === undefined ? null : parsePosition(String(before))
    if (before !== undefined && !cursor) return reply.status(400).send(invalidCursor)
    const customer = isUuid(id) ? await showCustomer(deps, id, cursor) : null
    return customer ?? reply.status(404).send(noSuchCustomer)
  })
  // An export uses POST so that read-only tokens cannot request it: the data leaves the system, and the audit trail records that.
  app.post<IdParams>('/customers/:id/export', async (request, reply) => {
    const { id } = request.params
    const customerData = isUuid(id) ? await exportCustomer(deps, id, getRequestActor(request)) : null
    return customerData ?? reply.status(404).send(noSuchCustomer)
  })
  app.get<IdParams>('/customers/:id/open', async ({ params: { id } }, reply) => {
    const user = isUuid(id) ? await findUser(deps.db, id) : undefined
    return user ? { open: await describeErasureBlockers(deps, user) } : reply.status(404).send(noSuchCustomer)
  })
  app.post('/customers/erase-again', (request) => Array.fromAsync(repeatErasures(deps, getRequestActor(request))))
  for (const [path, act] of Object.entries({
    '/messages/:id/resend': resendMessage,
    '/customers/:id/sign-out': signOutCustomer,
    '/customers/:id/block': blockCustomer,
    '/customers/:id/unblock': unblockCustomer,
    '/customers/:id/unlock': unlockCustomer,
    '/customers/:id/keep': cancelErasureByStaff,
    '/customers/:id/erase': eraseCustomer,
  }))
    app.post<IdParams>(path, async (request, reply) => {
      const { id } = request.params
      if (!isUuid(id)) return reply.status(404).send({ why: 'There is no customer or message with this ID.' })
      return sendOutcome(reply, await act(deps, id, getRequestActor(request)))
    })
}
