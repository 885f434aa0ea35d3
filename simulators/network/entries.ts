import { decideCancellation } from './cancellations.ts'
import type { Use } from './usage-habits.ts'
import { isEndState } from './state.ts'
import type {
  AcceptedCancellation,
  AcceptedOrder,
  TimelineMoment,
  Order,
  PortBehaviour,
  Product,
  ProductTerms,
  Sim,
  SimBehaviour,
  State,
  Subscription,
} from './state.ts'

export type NetworkEntry =
  | { type: 'sim_imported'; iccid: string; msisdn: string; behaviour: SimBehaviour; habits?: Sim['habits'] }
  | { type: 'product_known'; product: ProductTerms }
  | { type: 'used'; iccid: string; use: Use }
  | { type: 'port_known'; msisdn: string; behaviour: PortBehaviour }
  | { type: 'clock_set'; offsetMs: number }
  | { type: 'subscribed'; subscription: Subscription }
  | { type: 'unsubscribed'; id: string }
  | { type: 'order_accepted'; order: AcceptedOrder }
  | { type: 'order_moved'; orderId: string; at: string }
  /** Replaces a number transfer's future states with a single state. */
  | { type: 'port_played'; orderId: string; moment: TimelineMoment }
  /** A number transfer has received its code. `moments`, if present, replaces the transfer's future states. */
  | { type: 'code_sent'; orderId: string; right: boolean; moments?: TimelineMoment[] }
  | { type: 'cancel_accepted'; cancellation: AcceptedCancellation }
  /** A cancellation has been decided. The result depends on the order's state at that time. */
  | { type: 'cancel_decided'; id: string; at: string }

export function applyEntry(state: State, entry: NetworkEntry): void {
  switch (entry.type) {
    case 'sim_imported': {
      const known = state.sims.get(entry.iccid)
      const importedSim = {
        iccid: entry.iccid,
        packMsisdn: entry.msisdn,
        behaviour: entry.behaviour,
        habits: entry.habits ?? 'typical',
      }
      state.sims.set(
        entry.iccid,
        known ? { ...known, ...importedSim } : { ...importedSim, activations: 0, uses: [], line: null },
      )
      break
    }
    case 'port_known':
      state.ports.set(entry.msisdn, entry.behaviour)
      break
    case 'product_known':
      state.products.set(entry.product.sku, entry.product)
      break
    case 'used':
      state.sims.get(entry.iccid)!.uses.push(entry.use)
      break
    case 'clock_set':
      state.clockOffsetMs = entry.offsetMs
      break
    case 'subscribed':
      state.subscriptions.set(entry.subscription.id, entry.subscription)
      break
    case 'unsubscribed':
      state.subscriptions.delete(entry.id)
      break
    case 'order_accepted':
      acceptOrder(state, entry.order)
      break
    case 'order_moved':
      applyNextOrderState(state, state.orders.get(entry.orderId)!, entry.at)
      break
    case 'port_played':
      replaceTimeline(state.orders.get(entry.orderId)!, [entry.moment])
      break
    case 'code_sent':
      applyTransferCode(state.orders.get(entry.orderId)!, entry)
      break
    case 'cancel_accepted': {
      const open = { state: 'accepted', endDate: null, fault: null } as const
      state.cancellations.set(entry.cancellation.id, { ...entry.cancellation, ...open })
      break
    }
    case 'cancel_decided':
      decideCancellation(state, state.cancellations.get(entry.id)!, entry.at)
      break
  }
}

function replaceTimeline(order: Order, moments: TimelineMoment[]): void {
  order.timeline = [...order.timeline.slice(0, order.happened), ...moments]
}

function applyTransferCode(order: Order, { right, moments }: Extract<NetworkEntry, { type: 'code_sent' }>): void {
  order.codeTaken ||= right
  if (!right) order.wrongCodes += 1
  if (moments) replaceTimeline(order, moments)
}

function acceptOrder(state: State, accepted: AcceptedOrder): void {
  const isPort = accepted.request.operation === 'port_in'
  const date = new Date(accepted.acceptedOnClock).toISOString()
  const order: Order = {
    ...accepted,
    happened: 0,
    state: 'acknowledged',
    portState: isPort ? 'draft' : null,
    milestones: isPort ? [{ portState: 'draft', date, message: null }] : [],
    fault: null,
    codeTaken: false,
    wrongCodes: 0,
    startDate: null,
    endDate: null,
  }
  state.orders.set(order.id, order)
  if (order.externalId !== null) state.ordersByExternalId.set(order.externalId, order)
  state.openOrders.add(order)
  if (order.request.operation === 'activate') state.sims.get(order.request.iccid)!.activations += 1
}

function applyNextOrderState(state: State, order: Order, date: string): void {
  const moment = order.timeline[order.happened]!
  order.happened += 1
  order.state = moment.state
  if (moment.state === 'inProgress') order.startDate ??= date
  if (moment.fault) order.fault = { ...moment.fault, date }
  if (moment.portState) {
    order.portState = moment.portState
    order.milestones.push({ portState: moment.portState, date, message: moment.fault?.reason ?? null })
  }
  if (!isEndState(moment.state)) return
  order.endDate = date
  state.openOrders.delete(order)
  if (moment.state === 'completed') completeOrder(state, order, date)
}

function completeOrder(state: State, { id, request }: Order, date: string): void {
  const sim = state.sims.get(request.iccid)!
  switch (request.operation) {
    case 'activate':
      sim.line = { numbers: [request.msisdn], plans: [], addons: [] }
      state.iccidsByNumber.set(request.msisdn, sim.iccid)
      break
    case 'deactivate':
      for (const number of sim.line?.numbers ?? [])
        if (state.iccidsByNumber.get(number) === sim.iccid) state.iccidsByNumber.delete(number)
      sim.line = null
      break
    case 'add_plan':
      sim.line!.plans.push({ sku: request.sku, startsAt: request.startsAt ?? date, orderId: id })
      break
    case 'add_addon':
      sim.line!.addons.push({ sku: request.sku, startsAt: request.startsAt ?? date, orderId: id })
      break
    case 'remove_plan':
    case 'remove_addon': {
      const added = state.ordersByExternalId.get(request.addedByExternalId)
      const removeAddedProduct = (products: Product[]): Product[] =>
        products.filter(({ orderId }) => orderId !== added?.id)
      sim.line!.plans = removeAddedProduct(sim.line!.plans)
      sim.line!.addons = removeAddedProduct(sim.line!.addons)
      break
    }
    case 'port_in':
      sim.line!.numbers.push(request.msisdn)
      state.iccidsByNumber.set(request.msisdn, sim.iccid)
      break
  }
}
