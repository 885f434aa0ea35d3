import { parseDomesticMobile } from '#kit/contract/phone.ts'
import { findOrder, findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { isEndState } from '#features/orders/orders.states.ts'
import { findListedPort, type ListedPort, listPortsOfNumber } from '#features/porting/server/port-list.store.ts'
import { findPortOfOrder } from '#features/porting/server/porting.store.ts'
import { findReservationHolder } from '#features/porting/server/reserved-numbers.store.ts'
import type { Deps } from '../deps.ts'
import { isOrderCode } from './request.ts'

const transferNotFound = { status: 404, why: 'No transfer found.' }

/**
 * Finds a number transfer by its reference (its id at the network), by its order's code, or by its phone number (the
 * latest transfer). Until the order is delivered, no transfer exists and the network has received no request. The
 * response must not suggest otherwise.
 */
export async function findPort(deps: Deps, identifier: string): Promise<ListedPort | { status: number; why: string }> {
  const { db, market } = deps
  if (!/^[\w +()-]{1,80}$/.test(identifier)) return transferNotFound
  const port = await findListedPort(db, identifier)
  if (port) return port
  const order = isOrderCode(identifier) ? await findOrderByCode(db, identifier) : undefined
  if (order) {
    const transfer = await findPortOfOrder(db, order.id)
    return (
      (transfer && (await findListedPort(db, transfer.external_id))) ??
      (order.porting ? transferNotStarted(order) : transferNotFound)
    )
  }
  const number = parseDomesticMobile(identifier, market.phoneRegion)
  if (number === null) return transferNotFound
  const reservingOrderId = await findReservationHolder(db, number)
  const pendingOrder = reservingOrderId ? await findOrder(db, reservingOrderId) : undefined
  if (pendingOrder) return transferNotStarted(pendingOrder)
  return (await listPortsOfNumber(db, number))[0] ?? transferNotFound
}

const transferNotStarted = ({ order_code: code, state }: Order) => ({
  status: 409,
  why: isEndState(state)
    ? `Order ${code} did not go through, so its number transfer was not requested.`
    : `Order ${code} is ${state}. The transfer starts once the SIM is active. Until then you can only cancel the order.`,
})
