import { NetworkFault } from './fault.ts'
import type { Network } from './network.ts'
import type { OrderProgress } from './progress.ts'
import type { TimelineMoment, Order, OrderFault, OrderState, PortBehaviour, PortState } from './state.ts'

/** How long a number transfer takes on the simulator's clock, in milliseconds. The portal tells customers to expect the same duration. */
export const portClockDurationMs = 4 * 3_600_000

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

type PortStage = [portState: PortState, part: number, code?: string, reason?: string]

const stagesAfterReply: PortStage[] = [
  ['awaitingCustomerReply', 0.1],
  ['confirmed', 0.4],
  ['inProgress', 0.5],
  ['completed', 1],
]

const stagesByBehaviour: Record<PortBehaviour, PortStage[]> = {
  completes: [['requested', 0.05], ...stagesAfterReply],
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
  needs_information: [['requested', 0.02], ['informationRequired', 0.04], ['requested', 0.06], ...stagesAfterReply],
  waits_for_reply: [['requested', 0.05], ...stagesAfterReply],
  waits_for_donor: [['requested', 0.05], ...stagesAfterReply],
  asks_code: [
    ['requested', 0.05],
    ['awaitingCustomerReply', 0.1],
    ['expired', 0.6, 'NO_CUSTOMER_REPLY', 'The code did not arrive within 2 hours.'],
  ],
  played: [],
}

const waitingStates: Partial<Record<PortBehaviour, PortState>> = {
  waits_for_reply: 'awaitingCustomerReply',
  waits_for_donor: 'confirmed',
  asks_code: 'awaitingCustomerReply',
}
/** A delay in milliseconds that is effectively infinite. */
const unreachableDelayMs = 365 * 24 * 3_600_000

/** Creates a number transfer's timeline, which takes `delayMs` of real time, or 4 hours on the simulator's clock if that comes first. */
export function buildPortTimeline(behaviour: PortBehaviour, delayMs: number): TimelineMoment[] {
  const waitingStageIndex = stagesByBehaviour[behaviour].findIndex(
    ([portState]) => portState === waitingStates[behaviour],
  )
  return stagesByBehaviour[behaviour].map(([portState, part, code, reason = ''], at) => ({
    afterMs: Math.round(part * delayMs) + (waitingStageIndex >= 0 && at > waitingStageIndex ? unreachableDelayMs : 0),
    afterClockMs: Math.round(part * portClockDurationMs),
    state: orderStates[portState],
    portState,
    fault: code ? { code, reason } : null,
  }))
}

export const buildTimelineAfterCode = (delayMs: number, sinceMs: number, sinceClockMs: number): TimelineMoment[] =>
  (
    [
      ['confirmed', 0],
      ['inProgress', 0.1],
      ['completed', 0.6],
    ] as const
  ).map(([portState, part]) => ({
    afterMs: Math.round(sinceMs + part * delayMs),
    afterClockMs: Math.round(sinceClockMs + part * portClockDurationMs),
    state: orderStates[portState],
    portState,
    fault: null,
  }))

const defaultFaultCodes: Partial<Record<PortState, string>> = {
  declined: 'DONOR_ACCOUNT_MISMATCH',
  expired: 'NO_CUSTOMER_REPLY',
  cancelled: 'CUSTOMER_SAID_NO',
}

/**
 * Immediately moves a number's open transfer to the given state. After that, the transfer only moves on request.
 * @throws Fault 404 if that number has no open transfer
 */
export function setTransferState(
  network: Network,
  progress: OrderProgress,
  { msisdn, state: portState, code }: { msisdn: string; state: PortState; code?: string | undefined },
): void {
  const order = findOpenPort(network, msisdn)
  if (!order) throw new NetworkFault(404, 'UNKNOWN_PORT', 'No port of this number is open.')
  const faultCode = portState in defaultFaultCodes ? (code ?? defaultFaultCodes[portState]) : code
  const fault: OrderFault | null = faultCode ? { code: faultCode, reason: `The port is ${portState}.` } : null
  const moment = { afterMs: 0, afterClockMs: null, state: orderStates[portState], portState, fault }
  network.record({ type: 'port_played', orderId: order.id, moment })
  progress.follow(order)
}

const findOpenPort = ({ state }: Network, msisdn: string): Order | undefined =>
  [...state.openOrders].find(({ request }) => request.operation === 'port_in' && request.msisdn === msisdn)
