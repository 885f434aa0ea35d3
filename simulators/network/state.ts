import type { Use } from './habits.ts'
import type { OrderRequest } from './order-request.ts'

export const simBehaviours = ['ok', 'fails_once', 'fails_always', 'slow'] as const
export type SimBehaviour = (typeof simBehaviours)[number]

export const habits = ['typical', 'none'] as const

export const portBehaviours = [
  'completes',
  'fails',
  'expires',
  'cancelled',
  'needs_information',
  /** These complete as well, but wait for the customer or the losing provider until enough time has passed on the clock. */
  'waits_for_reply',
  'waits_for_donor',
  'asks_code',
  'played',
] as const
export type PortBehaviour = (typeof portBehaviours)[number]

export type Sim = {
  iccid: string
  packMsisdn: string
  behaviour: SimBehaviour
  activations: number
  habits: (typeof habits)[number]
  uses: Use[]
  /** The service on this SIM. `null` until an activation completes. */
  line: Line | null
}

/** Allowances of a product. A plan gives its data in each of its cycles, an add-on once. */
export type ProductTerms = {
  sku: string
  kind: 'plan' | 'addon'
  /** Local days, including the first day. */
  lengthDays: number
  dataMb: number
  /** In addition to the uncounted allowance of every plan. */
  voiceMinutes: number
  messages: number
}

export type Line = {
  /** Every number of the line so far, the present number last. */
  numbers: string[]
  plans: Product[]
  addons: Product[]
}

export type Product = { sku: string; startsAt: string; orderId: string }

export type OrderState = 'acknowledged' | 'pending' | 'inProgress' | 'completed' | 'failed' | 'cancelled'

export const portStates = [
  'draft',
  'requested',
  'informationRequired',
  'awaitingCustomerReply',
  'confirmed',
  'inProgress',
  'completed',
  'declined',
  'expired',
  'cancelled',
] as const
export type PortState = (typeof portStates)[number]

export type OrderFault = { code: string; reason: string }

/** A future change of an order. It happens at the earlier of its two times. */
export type TimelineMoment = {
  /** Milliseconds of real time after the order was accepted. */
  afterMs: number
  /** Milliseconds on the simulator's clock after the order was accepted. `null` if only real time counts. */
  afterClockMs: number | null
  state: OrderState
  portState: PortState | null
  fault: OrderFault | null
}

/** An accepted order. Its timeline is decided at acceptance, so that a restart changes nothing. */
export type AcceptedOrder = {
  id: string
  externalId: string | null
  itemId: string
  request: OrderRequest
  /** Real time, and the simulator's clock, in ms since 1970. */
  acceptedAt: number
  acceptedOnClock: number
  timeline: TimelineMoment[]
  code?: string
}

export type Order = AcceptedOrder & {
  happened: number
  state: OrderState
  portState: PortState | null
  milestones: { portState: PortState; date: string; message: string | null }[]
  fault: (OrderFault & { date: string }) | null
  codeTaken: boolean
  wrongCodes: number
  startDate: string | null
  endDate: string | null
}

export type TaskState = 'accepted' | 'done' | 'terminatedWithError'

export type AcceptedCancellation = {
  id: string
  orderId: string
  reason: string | null
  requestedDate: string | null
  /** Real time, in ms since 1970. */
  acceptedAt: number
  afterMs: number
  imposed: OrderFault | null
}

export type Cancellation = AcceptedCancellation & {
  state: TaskState
  endDate: string | null
  fault: OrderFault | null
}

export type Subscription = { id: string; callback: string; query: string | null }

/** The network's whole state. Only `apply` in entries.ts changes it. */
export type State = {
  clockOffsetMs: number
  sims: Map<string, Sim>
  /** Behaviour of a transfer by number. A number without an entry completes. */
  ports: Map<string, PortBehaviour>
  /** Allowances by sku. A product without an entry has none. */
  products: Map<string, ProductTerms>
  orders: Map<string, Order>
  ordersByExternalId: Map<string, Order>
  openOrders: Set<Order>
  cancellations: Map<string, Cancellation>
  subscriptions: Map<string, Subscription>
}

export function emptyState(): State {
  return {
    clockOffsetMs: 0,
    sims: new Map(),
    ports: new Map(),
    products: new Map(),
    orders: new Map(),
    ordersByExternalId: new Map(),
    openOrders: new Set(),
    cancellations: new Map(),
    subscriptions: new Map(),
  }
}

export function isOver(state: OrderState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

export function msisdnOf(line: Line): string {
  return line.numbers.at(-1)!
}
