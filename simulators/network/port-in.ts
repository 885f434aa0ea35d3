import { Fault } from './fault.ts'
import type { Network } from './network.ts'
import type { Progress } from './progress.ts'
import type { Moment, Order, OrderFault, OrderState, PortBehaviour, PortState } from './state.ts'

/** Duration of a transfer on the simulator's clock. Customers are told the same duration. */
export const portClockMs = 4 * 3_600_000

const orderStates: Record<PortState, OrderState> = {
  draft: 'acknowledged',
  requested: 'inProgress',
  informationRequired: 'pending',
  awaitingCustomerReply: 'inProgress',
  confirmed: 'inProgress',
  inProgress: 'inProgress',
  completed: 'completed',
  declined: 'failed',
  expired: 'failed',
  cancelled: 'cancelled',
}

type Stop = [portState: PortState, part: number, code?: string, reason?: string]

const fromReply: Stop[] = [
  ['awaitingCustomerReply', 0.1],
  ['confirmed', 0.4],
  ['inProgress', 0.5],
  ['completed', 1],
]

const journeys: Record<PortBehaviour, Stop[]> = {
  completes: [['requested', 0.05], ...fromReply],
  fails: [
    ['requested', 0.05],
    ['declined', 0.3, 'DONOR_ACCOUNT_MISMATCH', 'The losing provider has no such number on that account or SIM.'],
  ],
  expires: [
    ['requested', 0.05],
    ['awaitingCustomerReply', 0.1],
    ['expired', 0.6, 'NO_CUSTOMER_REPLY', 'The customer did not reply within 2 hours.'],
  ],
  cancelled: [
    ['requested', 0.05],
    ['awaitingCustomerReply', 0.1],
    ['cancelled', 0.3, 'CUSTOMER_SAID_NO', 'The customer replied NO.'],
  ],
  needs_information: [['requested', 0.02], ['informationRequired', 0.04], ['requested', 0.06], ...fromReply],
  waits_for_reply: [['requested', 0.05], ...fromReply],
  waits_for_donor: [['requested', 0.05], ...fromReply],
  asks_code: [
    ['requested', 0.05],
    ['awaitingCustomerReply', 0.1],
    ['expired', 0.6, 'NO_CUSTOMER_REPLY', 'The code did not come within 2 hours.'],
  ],
  played: [],
}

const waits: Partial<Record<PortBehaviour, PortState>> = {
  waits_for_reply: 'awaitingCustomerReply',
  waits_for_donor: 'confirmed',
  asks_code: 'awaitingCustomerReply',
}
/** A delay that no timer reaches in practice. */
const yearMs = 365 * 24 * 3_600_000

/** Timeline of a transfer: `delayMs` of real time, or 4 hours on the simulator's clock if those pass sooner. */
export function portTimeline(behaviour: PortBehaviour, delayMs: number): Moment[] {
  const waitsAt = journeys[behaviour].findIndex(([portState]) => portState === waits[behaviour])
  return journeys[behaviour].map(([portState, part, code, reason = ''], at) => ({
    afterMs: Math.round(part * delayMs) + (waitsAt >= 0 && at > waitsAt ? yearMs : 0),
    afterClockMs: Math.round(part * portClockMs),
    state: orderStates[portState],
    portState,
    fault: code ? { code, reason } : null,
  }))
}

export const afterCode = (delayMs: number, sinceMs: number, sinceClockMs: number): Moment[] =>
  (
    [
      ['confirmed', 0],
      ['inProgress', 0.1],
      ['completed', 0.6],
    ] as const
  ).map(([portState, part]) => ({
    afterMs: Math.round(sinceMs + part * delayMs),
    afterClockMs: Math.round(sinceClockMs + part * portClockMs),
    state: orderStates[portState],
    portState,
    fault: null,
  }))

const codes: Partial<Record<PortState, string>> = {
  declined: 'DONOR_ACCOUNT_MISMATCH',
  expired: 'NO_CUSTOMER_REPLY',
  cancelled: 'CUSTOMER_SAID_NO',
}

/**
 * Moves the open transfer of a number to a state now. From then on it moves only on request.
 * @throws Fault 404 if no transfer of that number is open
 */
export function playPort(
  network: Network,
  progress: Progress,
  { msisdn, state: portState, code }: { msisdn: string; state: PortState; code?: string | undefined },
): void {
  const order = openPortOf(network, msisdn)
  if (!order) throw new Fault(404, 'UNKNOWN_PORT', 'No port of this number is open.')
  const why = portState in codes ? (code ?? codes[portState]) : code
  const fault: OrderFault | null = why ? { code: why, reason: `The port is ${portState}.` } : null
  const moment = { afterMs: 0, afterClockMs: null, state: orderStates[portState], portState, fault }
  network.record({ type: 'port_played', orderId: order.id, moment })
  progress.follow(order)
}

const openPortOf = ({ state }: Network, msisdn: string): Order | undefined =>
  [...state.openOrders].find(({ request }) => request.operation === 'port_in' && request.msisdn === msisdn)
