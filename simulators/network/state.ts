import type { Use } from './usage-habits.ts'
import type { OrderRequest } from './order-request.ts'

export const simBehaviours = ['ok', 'fails_once', 'fails_always', 'slow'] as const
export type SimBehaviour = (typeof simBehaviours)[number]

export const usageHabits = ['typical', 'none'] as const

export const portBehaviours = [
  'completes',
  'fails',
  'expires',
  'cancelled',
  'needs_information',
  /** These transfers complete, but first wait for the customer or the losing provider, for a fixed time on the simulator's clock. */
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
  habits: (typeof usageHabits)[number]
  uses: Use[]
  /** The SIM's active line. `null` until an activation completes. */
  line: Line | null
}

/** A product's allowances. A plan provides its data in every cycle, an add-on only once. */
export type ProductTerms = {
  sku: string
  kind: 'plan' | 'addon'
  /** The number of local days that the product lasts, counting the first. */
  lengthDays: number
  dataMb: number
  /** Call minutes on top of the unlimited calls included in every plan. */
  voiceMinutes: number
  messages: number
}

export type Line = {
  /** Every number the line has had, with the current one last. */
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

/** A future state of an order. The order reaches it as soon as either of the two times has passed. */
export type TimelineMoment = {
  /** Milliseconds of real time since the order was accepted. */
  afterMs: number
  /** Milliseconds on the simulator's clock since the order was accepted. `null` if only real time counts. */
  afterClockMs: number | null
  state: OrderState
  portState: PortState | null
  fault: OrderFault | null
}

/** An accepted order. Its future states are fixed when it is accepted, so a restart cannot change them. */
export type AcceptedOrder = {
  id: string
  externalId: string | null
  itemId: string
  request: OrderRequest
  /** When the order was accepted, in milliseconds since 1970: in real time, and by the simulator's clock. */
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
  /** When the cancellation was accepted, in milliseconds of real time since 1970. */
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

/** The complete state of the simulated network. Only `apply` in entries.ts may change it. */
export type State = {
  clockOffsetMs: number
  sims: Map<string, Sim>
  /** The ICCIDs of SIMs with an active line, by every number that the line has had. */
  iccidsByNumber: Map<string, string>
  /** How a number's transfer behaves, by number. The transfer completes if its number is not listed. */
  ports: Map<string, PortBehaviour>
  /** Product allowances by SKU. A product that is not listed has none. */
  products: Map<string, ProductTerms>
  orders: Map<string, Order>
  ordersByExternalId: Map<string, Order>
  openOrders: Set<Order>
  cancellations: Map<string, Cancellation>
  subscriptions: Map<string, Subscription>
}

export function createEmptyState(): State {
  return {
    clockOffsetMs: 0,
    sims: new Map(),
    iccidsByNumber: new Map(),
    ports: new Map(),
    products: new Map(),
    orders: new Map(),
    ordersByExternalId: new Map(),
    openOrders: new Set(),
    cancellations: new Map(),
    subscriptions: new Map(),
  }
}

export function isEndState(state: OrderState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

export function getMsisdn(line: Line): string {
  return line.numbers.at(-1)!
}
