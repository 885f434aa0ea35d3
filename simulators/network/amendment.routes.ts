import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { createFailureInjector } from './failure-injector.ts'
import type { Failures } from './failures.ts'
import { NetworkFault } from './fault.ts'
import type { Network } from './network.ts'
import { parse } from './order-request.ts'
import { buildTimelineAfterCode, setTransferState } from './port-in.ts'
import { orderingBase, presentOrder } from './present-order.ts'
import type { OrderProgress } from './progress.ts'
import type { Order } from './state.ts'

/** A request body that supplies a waiting number transfer with the code that the losing provider texted to the number. */
const amendmentBodySchema = v.object({
  serviceOrderItem: v.strictTuple([
    v.object({
      id: v.string(),
      service: v.object({
        serviceCharacteristic: v.strictTuple([
          v.object({ name: v.literal('donorCode'), value: v.pipe(v.string(), v.maxLength(20)) }),
        ]),
      }),
    }),
  ]),
})

const maxWrongCodes = 5

/** Serves TMF641's PATCH for orders. This network supports it only to submit the code for a number transfer. */
export function amendmentRoutes(
  app: FastifyInstance,
  { network, progress, failures }: { network: Network; progress: OrderProgress; failures: Failures },
): void {
  const answerWithFailure = createFailureInjector(app)

  app.patch(`${orderingBase}/serviceOrder/:id`, (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const [item] = parse(amendmentBodySchema, request.body).serviceOrderItem
    const [{ value: code }] = item.service.serviceCharacteristic
    return answerWithFailure(failures.takeForCall('amend'), reply, () => {
      const order = network.state.orders.get(request.params.id)
      if (!order) throw new NetworkFault(404, 'UNKNOWN_ORDER', 'No service order has this id.')
      checkPortCode(network, progress, order, code)
      return { status: 200, body: presentOrder(order, network.origin) }
    })
  })

  app.get('/_simulator/ports/texts', () => listDonorTexts(network))
}

/**
 * Checks a code and, if it is correct, lets the transfer continue. Repeating the correct code changes nothing.
 * @throws Fault 400 for a wrong code (the fifth wrong code ends the transfer), and 409 if no code is expected
 */
function checkPortCode(network: Network, progress: OrderProgress, order: Order, code: string): void {
  if (order.codeTaken && code === order.code) return
  if (!order.code || order.portState !== 'awaitingCustomerReply')
    throw new NetworkFault(409, 'CODE_NOT_AWAITED', 'This order does not expect a code.')
  const isCorrectCode = code === order.code
  network.record({
    type: 'code_sent',
    orderId: order.id,
    right: isCorrectCode,
    ...(isCorrectCode && { moments: computeRemainingTimeline(network, order) }),
  })
  if (!isCorrectCode && order.wrongCodes >= maxWrongCodes && order.request.operation === 'port_in')
    setTransferState(network, progress, { msisdn: order.request.msisdn, state: 'declined', code: 'WRONG_CODE' })
  if (!isCorrectCode)
    throw new NetworkFault(400, 'WRONG_CODE', 'This is not the code that the losing provider has texted.')
  progress.follow(order)
}

/**
 * Returns the states that follow once a code is accepted. A `played` transfer only moves to the next state; the test has to request any
 * further states.
 */
function computeRemainingTimeline({ state, pace, now }: Network, { request, acceptedAt, acceptedOnClock }: Order) {
  const timelineEntries = buildTimelineAfterCode(pace.portDelayMs, Date.now() - acceptedAt, now() - acceptedOnClock)
  const isManuallyControlled = request.operation === 'port_in' && state.ports.get(request.msisdn) === 'played'
  return isManuallyControlled ? timelineEntries.slice(0, 1) : timelineEntries
}

function listDonorTexts({ state }: Network): { id: string; to: string; text: string; sent_at: string }[] {
  return [...state.orders.values()].toReversed().flatMap(({ id, request, code, milestones }) => {
    const codeRequest = milestones.find(({ portState }) => portState === 'awaitingCustomerReply')
    if (!code || !codeRequest || request.operation !== 'port_in') return []
    const text = `Your code to move this number to another provider is ${code}. If you didn’t ask for it, don’t share it and call us.`
    return [{ id, to: `+${request.msisdn}`, text, sent_at: codeRequest.date }]
  })
}
