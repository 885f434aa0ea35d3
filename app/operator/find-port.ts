import { parseHome } from '#kit/contract/phone.ts'
import { findOrder, findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { isOver } from '#features/orders/orders.states.ts'
import { findListedPort, type ListedPort, listPortsOfNumber } from '#features/porting/server/port-list.store.ts'
import { findPortOfOrder } from '#features/porting/server/porting.store.ts'
import { holderOf } from '#features/porting/server/reserved-numbers.store.ts'
import type { Deps } from '../deps.ts'
import { isOrderCode } from './request.ts'

const noSuchPort = { status: 404, why: 'No transfer found.' }

/**
 * Finds a number transfer by its reference (its id at the network), by the code of its order, or by its number (the latest transfer).
 * No transfer exists until its order is delivered. The network has received no request then, and the answer must not claim otherwise.
 */
export async function findPort(deps: Deps, named: string): Promise<ListedPort | { status: number; why: string }> {
  const { db, market } = deps
  if (!/^[\w +()-]{1,80}$/.test(named)) return noSuchPort
  const port = await findListedPort(db, named)
  if (port) return port
  const order = isOrderCode(named) ? await findOrderByCode(db, named) : undefined
  if (order) {
    const asked = await findPortOfOrder(db, order.id)
    return (asked && (await findListedPort(db, asked.external_id))) ?? (order.porting ? notYet(order) : noSuchPort)
  }
  const number = parseHome(named, market.phoneRegion)
  if (number === null) return noSuchPort
  const holder = await holderOf(db, number)
  const bringing = holder ? await findOrder(db, holder) : undefined
  if (bringing) return notYet(bringing)
  return (await listPortsOfNumber(db, number))[0] ?? noSuchPort
}

const notYet = ({ order_code: code, state }: Order) => ({
  status: 409,
  why: isOver(state)
    ? `Order ${code} did not go through, so its number transfer was not requested.`
    : `Order ${code} is ${state}. The transfer starts once its SIM works. Until then you can only cancel the order.`,
})
