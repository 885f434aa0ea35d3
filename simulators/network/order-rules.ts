import { NetworkFault } from './fault.ts'
import type { Operation, OrderRequest } from './order-request.ts'
import type { Sim, State } from './state.ts'

/** Checks that the network allows a request. @throws Fault 404 for an unknown SIM, 409 if the SIM's current state rules the request out */
export function assertOrderAllowed(state: State, request: OrderRequest): void {
  const sim = state.sims.get(request.iccid)
  if (!sim) throw new NetworkFault(404, 'UNKNOWN_SIM', 'No SIM has this ICCID.')
  const open = new Set<Operation>()
  for (const order of state.openOrders) {
    if (order.request.iccid === request.iccid) open.add(order.request.operation)
  }
  if (request.operation === 'activate') return assertSimUnused(sim, open, request.msisdn)

  if (!sim.line) throw new NetworkFault(409, 'SIM_NOT_ACTIVE', 'The SIM is not active.')
  if (open.has('deactivate')) throw new NetworkFault(409, 'ORDER_IN_PROGRESS', 'The SIM is being deactivated.')
  if (request.operation === 'port_in') return assertNumberPortable(state, open, request.msisdn)

  // Also accept an earlier number of the line, because the caller may not know about a number transfer yet.
  if (!sim.line.numbers.includes(request.msisdn)) throw createNumberMismatch()
  if (request.operation === 'remove_plan' || request.operation === 'remove_addon') {
    const currentProducts = request.operation === 'remove_plan' ? sim.line.plans : sim.line.addons
    const added = state.ordersByExternalId.get(request.addedByExternalId)
    if (!currentProducts.some(({ orderId }) => orderId === added?.id))
      throw new NetworkFault(
        404,
        'UNKNOWN_PRODUCT',
        'No order with this externalId has added this product to this SIM.',
      )
  }
  if (request.operation === 'deactivate' && open.size > 0) {
    throw new NetworkFault(409, 'ORDER_IN_PROGRESS', 'Another order for this SIM is under way.')
  }
}

function assertSimUnused(sim: Sim, open: Set<Operation>, msisdn: string): void {
  if (sim.line) throw new NetworkFault(409, 'SIM_ALREADY_ACTIVE', 'The SIM is already active.')
  if (open.has('activate')) throw new NetworkFault(409, 'SIM_RESERVED', 'The SIM is already being activated.')
  if (sim.packMsisdn !== msisdn) throw createNumberMismatch()
}

function assertNumberPortable(state: State, open: Set<Operation>, msisdn: string): void {
  if (open.has('port_in'))
    throw new NetworkFault(409, 'PORT_IN_PROGRESS', 'A number is already being ported to this SIM.')
  for (const { request } of state.openOrders) {
    if (request.operation === 'port_in' && request.msisdn === msisdn) {
      throw new NetworkFault(409, 'PORT_IN_PROGRESS', 'This number is already being ported to another SIM.')
    }
  }
  for (const { packMsisdn, line } of state.sims.values()) {
    if (packMsisdn === msisdn || line?.numbers.at(-1) === msisdn) {
      throw new NetworkFault(409, 'NUMBER_ON_THIS_NETWORK', 'The number is already on this network.')
    }
  }
}

function createNumberMismatch(): NetworkFault {
  return new NetworkFault(409, 'NUMBER_MISMATCH', 'The number does not belong to this SIM.')
}
