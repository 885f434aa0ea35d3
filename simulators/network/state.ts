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
  /** These complete, too, but stay where somebody is waited for until the clock has passed. */
  'waits_for_reply',
  'waits_for_donor',
  /** Of this the donor texts a code to the number that moves, and it waits for that code. */
  'asks_code',
  /** This stands still, and comes to each state that it is told to. */
  'played',
] as const
export type PortBehaviour = (typeof portBehaviours)[number]

export type Sim = {
  iccid: string
  /** The number printed on the SIM pack, which an activation gives it. */
  packMsisdn: string
  behaviour: SimBehaviour
  /** Activation orders accepted so far: `fails_once` fails the first. */
  activations: number
  /** What its owner does with it of themselves: as people do, or nothing. */
  habits: (typeof habits)[number]
  /** Uses that were asked for, on top. */
  uses: Use[]
  /** The service on this SIM; null until an activation completes. */
  line: Line | null
}

/** What a product gives to the line that has it: a plan's data anew for each of its cycles, an add-on's once. */
export type ProductTerms = {
  sku: string
  kind: 'plan' | 'addon'
  /** Local days, the day of the start included. */
  lengthDays: number
  dataMb: number
  /** Beyond what every plan has without counting. */
  voiceMinutes: number
  messages: number
}

export type Line = {
  /** Every number it has had, the present one last. */
  numbers: string[]
  plans: Product[]
  addons: Product[]
}

export type Product = { sku: string; startsAt: string; orderId: string }

/** States of TMF641 that this network uses. */
export type OrderState = 'acknowledged' | 'pending' | 'inProgress' | 'completed' | 'failed' | 'cancelled'

/** Where a port stands; an order begins as a draft. */
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

/** Something that will happen to an order, at whichever of its two times comes first. */
export type Moment = {
  /** Milliseconds of real time after the order was accepted. */
  afterMs: number
  /** Milliseconds on the simulator's clock after that; null where only real time counts. */
  afterClockMs: number | null
  state: OrderState
  portState: PortState | null
  fault: OrderFault | null
}

/** An order as it was accepted: what will become of it is decided then, so that a restart changes nothing. */
export type AcceptedOrder = {
  id: string
  externalId: string | null
  itemId: string
  request: OrderRequest
  /** Real time, and the simulator's clock, in ms since 1970. */
  acceptedAt: number
  acceptedOnClock: number
  timeline: Moment[]
  /** What the donor texts to the number that moves, once its owner is asked; absent where no code is asked for. */
  code?: string
}

export type Order = AcceptedOrder & {
  /** How much of the timeline has happened. */
  happened: number
  state: OrderState
  portState: PortState | null
  milestones: { portState: PortState; date: string; message: string | null }[]
  fault: (OrderFault & { date: string }) | null
  /** Whether its code has come, and how many others came before it. */
  codeTaken: boolean
  wrongCodes: number
  startDate: string | null
  endDate: string | null
}

/** States of a TMF641 task that this network uses. */
export type TaskState = 'accepted' | 'done' | 'terminatedWithError'

/** The task of calling an order off, as it was taken. */
export type AcceptedCancellation = {
  id: string
  orderId: string
  reason: string | null
  requestedDate: string | null
  /** Real time, in ms since 1970. */
  acceptedAt: number
  /** Until it is decided, in ms. */
  afterMs: number
  /** What the network shall say to it, whatever the order's state. */
  imposed: OrderFault | null
}

export type Cancellation = AcceptedCancellation & {
  state: TaskState
  endDate: string | null
  /** Why the order goes on. */
  fault: OrderFault | null
}

export type Subscription = { id: string; callback: string; query: string | null }

/** Everything the network knows. Only `apply` in entries.ts changes it. */
export type State = {
  clockOffsetMs: number
  sims: Map<string, Sim>
  /** How a port of this number goes; a number that is absent completes. */
  ports: Map<string, PortBehaviour>
  /** What each product gives, by sku; one that is absent gives nothing. */
  products: Map<string, ProductTerms>
  orders: Map<string, Order>
  ordersByExternalId: Map<string, Order>
  openOrders: Set<Order>
  /** By id, oldest first. */
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

/** The number a line answers to now. */
export function msisdnOf(line: Line): string {
  return line.numbers.at(-1)!
}
