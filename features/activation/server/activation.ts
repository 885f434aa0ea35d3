import { transact } from '#kit/server/db.ts'
import { notFound } from '#kit/server/refusal.ts'
import type { Visit } from '#kit/server/visit.ts'
import { findOrder, type Order } from '#features/orders/server/orders.store.ts'
import { retryOrder } from '#features/orders/server/orders.ts'
import type { Activation } from '../activation.contract.ts'
import type { ActivationDeps } from './activation.deps.ts'
import { type ActivationRow, endActivation, findActivation } from './activation.store.ts'
import { presentActivation, stateOf } from './activation.present.ts'
import { asCustomer } from './activation-customer.ts'

/**
 * The visitor's activation as it stands; `order`: one that was just read.
 * @throws 404 when they have none
 */
export async function currentActivation(deps: ActivationDeps, visit: Visit, order?: Order): Promise<Activation> {
  return presentActivation(deps.db, await ownActivation(deps, visit), order)
}

/** Try Again: the same order runs on after a failure that may pass; after one for good, everything starts anew. */
export async function restart(deps: ActivationDeps, visit: Visit): Promise<Activation | null> {
  const activation = await ownActivation(deps, visit)
  const order = activation.order_id ? await findOrder(deps.db, activation.order_id) : undefined
  const state = stateOf(activation, order)
  if (state === 'ERROR_CAN_RETRY' && order)
    return presentActivation(deps.db, activation, (await retryOrder(deps, order)) ?? undefined)
  if (state === 'PERMANENTLY_FAILED' || state === 'SUCCESSFUL') {
    await transact(deps.db, (trx) => endActivation(trx, activation.id, deps.clock.now()))
    return null
  }
  return presentActivation(deps.db, activation, order)
}

async function ownActivation(deps: ActivationDeps, visit: Visit): Promise<ActivationRow> {
  const sessionId = visit.session.id
  const activation = sessionId ? await findActivation(deps.db, sessionId, deps.clock.now()) : undefined
  if (!activation) throw notFound()
  return asCustomer(deps.db, activation, visit)
}
