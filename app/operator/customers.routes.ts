import type { FastifyInstance } from 'fastify'
import { readPlace } from '#kit/server/page.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import {
  blockCustomer,
  signOutCustomer,
  unblockCustomer,
  unlockCustomer,
} from '#features/customers/server/customers.ts'
import { eraseCustomer, openThings, repeatErasures } from '#features/customers/server/erase.ts'
import { exportCustomer } from '#features/customers/server/export.ts'
import { presentFound } from '#features/customers/server/customers.present.ts'
import { findCustomers } from '#features/customers/server/find.ts'
import { resendMessage } from '#features/customers/server/resend.ts'
import { longestSearch } from '#features/customers/server/searches.ts'
import { showCustomer } from '#features/customers/server/show.ts'
import { keepCustomer } from '#features/privacy/server/erasure.ts'
import type { Deps } from '../deps.ts'
import { actorOf, answer } from './request.ts'

export type FoundView = ReturnType<typeof presentFound>
export type CustomerView = NonNullable<Awaited<ReturnType<typeof showCustomer>>>

type Id = { Params: { id: string } }
type Text = { Querystring: { text?: unknown } }
type Before = { Querystring: { before?: unknown } }

const noSuchCustomer = { why: 'There is no customer with this ID.' }
const noSuchPlace = { why: 'Invalid cursor. Copy the value after --before from the previous output.' }

export function customerRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<Text>('/customers', async ({ query: { text } }, reply) => {
    if (typeof text !== 'string' || text.length > longestSearch)
      return reply.status(400).send({ why: 'That search text is too long.' })
    return (await findCustomers(deps, text)).map(presentFound)
  })
  app.get<Id & Before>('/customers/:id', async ({ params: { id }, query: { before } }, reply) => {
    const place = before === undefined ? null : readPlace(String(before))
    if (before !== undefined && !place) return reply.status(400).send(noSuchPlace)
    const customer = isUuid(id) ? await showCustomer(deps, id, place) : null
    return customer ?? reply.status(404).send(noSuchCustomer)
  })
  // An export leaves the system and is recorded in the audit trail, so this is a POST, which a read-only token cannot send.
  app.post<Id>('/customers/:id/export', async (request, reply) => {
    const { id } = request.params
    const all = isUuid(id) ? await exportCustomer(deps, id, actorOf(request)) : null
    return all ?? reply.status(404).send(noSuchCustomer)
  })
  app.get<Id>('/customers/:id/open', async ({ params: { id } }, reply) => {
    const user = isUuid(id) ? await findUser(deps.db, id) : undefined
    return user ? { open: await openThings(deps, user) } : reply.status(404).send(noSuchCustomer)
  })
  app.post('/customers/erase-again', (request) => Array.fromAsync(repeatErasures(deps, actorOf(request))))
  for (const [path, act] of Object.entries({
    '/messages/:id/resend': resendMessage,
    '/customers/:id/sign-out': signOutCustomer,
    '/customers/:id/block': blockCustomer,
    '/customers/:id/unblock': unblockCustomer,
    '/customers/:id/unlock': unlockCustomer,
    '/customers/:id/keep': keepCustomer,
    '/customers/:id/erase': eraseCustomer,
  }))
    app.post<Id>(path, async (request, reply) => {
      const { id } = request.params
      if (!isUuid(id)) return reply.status(404).send({ why: 'Nothing has this ID.' })
      return answer(reply, await act(deps, id, actorOf(request)))
    })
}
