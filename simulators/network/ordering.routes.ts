import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { createFailureInjector } from './failure-injector.ts'
import type { Events } from './events.ts'
import type { Failures } from './failures.ts'
import { NetworkFault } from './fault.ts'
import { buildListPage, selectFields } from './list-page.ts'
import type { Query } from './list-page.ts'
import type { Network } from './network.ts'
import { parse, readOrder } from './order-request.ts'
import { presentOrder, orderingBase } from './present-order.ts'
import { placeOrder } from './orders.ts'
import type { OrderProgress } from './progress.ts'
import type { Subscription } from './state.ts'

type ListRequest = FastifyRequest<{ Querystring: Query }>
type ItemRequest = FastifyRequest<{ Params: { id: string }; Querystring: Query }>

const subscriptionBodySchema = v.object({
  callback: v.pipe(v.string(), v.url(), v.regex(/^https?:/, 'not an http address')),
  query: v.optional(v.string()),
})

type NetworkParts = { network: Network; progress: OrderProgress; events: Events; failures: Failures }

export function orderingRoutes(app: FastifyInstance, { network, progress, events, failures }: NetworkParts): void {
  const { state } = network
  const answerWithFailure = createFailureInjector(app)

  app.post(`${orderingBase}/serviceOrder`, (request, reply) => {
    const requestedOrder = readOrder(request.body)
    const { operation } = requestedOrder.request
    return answerWithFailure(failures.takeForCall(operation), reply, () => {
      const { order, repeated } = placeOrder(network, requestedOrder, () => failures.takeForOrder(operation))
      if (!repeated) {
        events.accepted(order)
        progress.follow(order)
      }
      return { status: repeated ? 200 : 201, body: presentOrder(order, network.origin) }
    })
  })

  app.get(`${orderingBase}/serviceOrder`, (request: ListRequest, reply) =>
    answerWithFailure(failures.takeForCall('read'), reply, () => {
      const { externalId } = network.lists.ignore_filters ? {} : request.query
      const named = typeof externalId === 'string' ? state.ordersByExternalId.get(externalId) : undefined
      const orders = externalId === undefined ? [...state.orders.values()] : named ? [named] : []
      return buildListPage(
        orders.map((order) => presentOrder(order, network.origin)),
        request.query,
        network.lists,
      )
    }),
  )

  app.get(`${orderingBase}/serviceOrder/:id`, (request: ItemRequest, reply) =>
    answerWithFailure(failures.takeForCall('read'), reply, () => {
      const order = state.orders.get(request.params.id)
      if (!order) throw new NetworkFault(404, 'UNKNOWN_ORDER', 'No service order has this id.')
      return { status: 200, body: selectFields(presentOrder(order, network.origin), request.query) }
    }),
  )

  app.post(`${orderingBase}/hub`, (request, reply) => {
    const { callback, query = null } = parse(subscriptionBodySchema, request.body)
    const existingSubscription = [...state.subscriptions.values()].find(
      (known) => known.callback === callback && known.query === query,
    )
    if (existingSubscription) return reply.code(200).send(presentSubscription(existingSubscription))
    const subscription = { id: randomUUID(), callback, query }
    network.record({ type: 'subscribed', subscription })
    return reply.code(201).send(presentSubscription(subscription))
  })

  app.delete(`${orderingBase}/hub/:id`, (request: ItemRequest, reply) => {
    const { id } = request.params
    if (!state.subscriptions.has(id))
      throw new NetworkFault(404, 'UNKNOWN_SUBSCRIPTION', 'No subscription has this id.')
    network.record({ type: 'unsubscribed', id })
    return reply.code(204).send()
  })
}

const presentSubscription = ({ id, callback, query }: Subscription) => ({ id, callback, query: query ?? undefined })
