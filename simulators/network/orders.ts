import { randomInt, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { NetworkFault } from './fault.ts'
import type { Network, NetworkTiming } from './network.ts'
import type { OrderRequest, RequestedOrder } from './order-request.ts'
import { buildPortTimeline } from './port-in.ts'
import { assertOrderAllowed } from './order-rules.ts'
import type { TimelineMoment, Order, OrderFault, Sim } from './state.ts'

/** A fault for a temporary failure: the same order may succeed later. */
export const networkBusyFault: OrderFault = { code: 'NETWORK_BUSY', reason: 'The network is busy. Please order again.' }
/** A fault for a permanent failure: the same order will never succeed. */
const simBlockedFault: OrderFault = { code: 'SIM_BLOCKED', reason: 'The SIM is blocked and cannot be activated.' }

/**
 * Accepts an order, or returns the existing one with the same externalId. `imposed` is called only for a new order; if it returns a fault,
 * the order ends with that fault.
 * @throws Fault if the network rejects the order, in which case nothing changes
 */
export function placeOrder(
  network: Network,
  wanted: RequestedOrder,
  imposed: () => OrderFault | null,
): { order: Order; repeated: boolean } {
  const { state } = network
  const known = wanted.externalId === null ? undefined : state.ordersByExternalId.get(wanted.externalId)
  if (known) {
    if (isDeepStrictEqual(known.request, wanted.request)) return { order: known, repeated: true }
    throw new NetworkFault(409, 'EXTERNAL_ID_REUSED', 'This externalId belongs to a different order.')
  }
  assertOrderAllowed(state, wanted.request)
  const id = randomUUID()
  const timeline = buildTimeline(network, wanted.request, imposed())
  const code = requiresCode(network, wanted.request) && { code: String(randomInt(1e6)).padStart(6, '0') }
  const order = { id, ...wanted, acceptedAt: Date.now(), acceptedOnClock: network.now(), timeline, ...code }
  network.record({ type: 'order_accepted', order })
  return { order: state.orders.get(id)!, repeated: false }
}

/** Returns whether a number transfer needs a code. In Australia, a code texted to the number proves that the customer controls it. */
const requiresCode = ({ state, zone }: Network, request: OrderRequest): boolean =>
  request.operation === 'port_in' && (zone.startsWith('Australia/') || state.ports.get(request.msisdn) === 'asks_code')

function buildTimeline({ state, pace }: Network, request: OrderRequest, imposed: OrderFault | null): TimelineMoment[] {
  const sim = state.sims.get(request.iccid)!
  if (request.operation === 'port_in') {
    const behaviour = imposed ? 'fails' : (state.ports.get(request.msisdn) ?? 'completes')
    const timeline = buildPortTimeline(behaviour, pace.portDelayMs)
    return imposed ? timeline.map((moment) => (moment.fault ? { ...moment, fault: imposed } : moment)) : timeline
  }
  const fault = imposed ?? (request.operation === 'activate' ? findActivationFault(sim) : null)
  return buildProvisioningTimeline(sim, pace, fault)
}

function findActivationFault({ behaviour, activations }: Sim): OrderFault | null {
  if (behaviour === 'fails_always') return simBlockedFault
  return behaviour === 'fails_once' && activations === 0 ? networkBusyFault : null
}

export const getStepMs = ({ behaviour }: Sim, pace: NetworkTiming): number =>
  behaviour === 'slow' ? pace.slowStepMs : pace.stepMs

function buildProvisioningTimeline(sim: Sim, pace: NetworkTiming, fault: OrderFault | null): TimelineMoment[] {
  const stepMs = getStepMs(sim, pace)
  return [
    { afterMs: stepMs, afterClockMs: null, state: 'inProgress', portState: null, fault: null },
    { afterMs: 2 * stepMs, afterClockMs: null, state: fault ? 'failed' : 'completed', portState: null, fault },
  ]
}

export type LedgerLine = { external_id: string | null; action: OrderRequest['operation']; state: Order['state'] }

export function buildLedger({ state }: Network): LedgerLine[] {
  return [...state.orders.values()].map(({ externalId, request, state: orderState }) => ({
    external_id: externalId,
    action: request.operation,
    state: orderState,
  }))
}
