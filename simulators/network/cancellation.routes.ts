import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { createFailureInjector } from './failure-injector.ts'
import type { Failures } from './failures.ts'
import { NetworkFault, faultBody } from './fault.ts'
import { buildListPage, selectFields } from './list-page.ts'
import type { Query } from './list-page.ts'
import type { Network } from './network.ts'
import { instantSchema, parse } from './order-request.ts'
import { getStepMs } from './orders.ts'
import { orderingBase } from './present-order.ts'
import type { OrderProgress } from './progress.ts'
import type { Cancellation, OrderFault } from './state.ts'

const path = `${orderingBase}/cancelServiceOrder`

const cancellationBodySchema = v.object({
  cancellationReason: v.optional(v.pipe(v.string(), v.maxLength(200))),
  requestedCancellationDate: v.optional(instantSchema),
  serviceOrder: v.object({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(100)) }),
})
type CancellationBody = v.InferOutput<typeof cancellationBodySchema>

/** Serves TMF641's cancellation of orders. This network can only cancel number transfers that have not been confirmed yet. */
export function cancellationRoutes(
  app: FastifyInstance,
  { network, progress, failures }: { network: Network; progress: OrderProgress; failures: Failures },
): void {
  const { cancellations } = network.state
  const answerWithFailure = createFailureInjector(app)

  app.post(path, (request, reply) => {
    const cancellationRequest = parse(cancellationBodySchema, request.body)
    return answerWithFailure(failures.takeForCall('cancel'), reply, () => {
      const open = [...cancellations.values()].find(
        ({ orderId, state }) => orderId === cancellationRequest.serviceOrder.id && state === 'accepted',
      )
      if (open) return { status: 200, body: presentCancellation(open, network.origin) }
      const cancellation = acceptCancellation(network, cancellationRequest, () => failures.takeForOrder('cancel'))
      progress.followCancellation(cancellation)
      return { status: 201, body: presentCancellation(cancellation, network.origin) }
    })
  })

  app.get(path, (request: FastifyRequest<{ Querystring: Query }>, reply) =>
    answerWithFailure(failures.takeForCall('read'), reply, () =>
      buildListPage(
        [...cancellations.values()].map((each) => presentCancellation(each, network.origin)),
        request.query,
        network.lists,
      ),
    ),
  )

  app.get(`${path}/:id`, (request: FastifyRequest<{ Params: { id: string }; Querystring: Query }>, reply) =>
    answerWithFailure(failures.takeForCall('read'), reply, () => {
      const cancellation = cancellations.get(request.params.id)
      if (!cancellation) throw new NetworkFault(404, 'UNKNOWN_TASK', 'No cancellation has this id.')
      return { status: 200, body: selectFields(presentCancellation(cancellation, network.origin), request.query) }
    }),
  )
}

/**
 * Accepts a cancellation task, whose result is decided one step later.
 * @throws Fault 404 for an unknown order, 409 if the order is not a number transfer or has ended
 */
function acceptCancellation(
  network: Network,
  wanted: CancellationBody,
  imposed: () => OrderFault | null,
): Cancellation {
  const { state, pace } = network
  const order = state.orders.get(wanted.serviceOrder.id)
  if (!order) throw new NetworkFault(404, 'UNKNOWN_ORDER', 'No service order has this id.')
  if (order.request.operation !== 'port_in')
    throw new NetworkFault(409, 'NOT_CANCELLABLE', 'Only a port can be cancelled.')
  if (!state.openOrders.has(order)) throw new NetworkFault(409, 'ORDER_OVER', `The order is ${order.state}.`)
  const id = randomUUID()
  network.record({
    type: 'cancel_accepted',
    cancellation: {
      id,
      orderId: order.id,
      reason: wanted.cancellationReason ?? null,
      requestedDate: wanted.requestedCancellationDate ?? null,
      acceptedAt: Date.now(),
      afterMs: getStepMs(state.sims.get(order.request.iccid)!, pace),
      imposed: imposed(),
    },
  })
  return state.cancellations.get(id)!
}

function presentCancellation(
  { id, orderId, reason, requestedDate, state, endDate, fault }: Cancellation,
  origin: string,
) {
  return {
    id,
    href: `${origin}${path}/${id}`,
    state,
    cancellationReason: reason ?? undefined,
    requestedCancellationDate: requestedDate ?? undefined,
    effectiveCancellationDate: state === 'done' ? endDate : undefined,
    completionMessage: fault?.reason,
    errorMessage: fault ? faultBody(409, fault.code, fault.reason) : undefined,
    serviceOrder: {
      id: orderId,
      href: `${origin}${orderingBase}/serviceOrder/${orderId}`,
      '@referredType': 'ServiceOrder',
    },
    '@type': 'CancelServiceOrder',
  }
}
