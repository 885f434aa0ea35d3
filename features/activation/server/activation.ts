import { transact } from '#kit/server/db.ts'
import { notFound } from '#kit/server/refusal.ts'
import type { Visit } from '#kit/server/visit.ts'
import { findOrderAmong, type Order } from '#features/orders/server/orders.store.ts'
import { retryOrder } from '#features/orders/server/orders.ts'
import { wasPaid } from '#features/orders/orders.states.ts'
import { findProductAmong, type ProductRow } from '#features/plans/server/plans.store.ts'
import type { Activation } from '../activation.contract.ts'
import type { ActivationDeps } from './activation.deps.ts'
import { type ActivationRow, endActivation, findActivation, orderIdOf, productIdOf } from './activation.store.ts'
import { presentActivation, stateOf } from './activation.present.ts'
import { asCustomer } from './activation-customer.ts'
import { orderOf } from './activation-order.ts'
import { isShown, maskOld } from './shown-activation.ts'

/**
 * `order`: the order, if it was just read.
 * @throws 404 when there is no activation
 */
export async function currentActivation(deps: ActivationDeps, visit: Visit, order?: Order): Promise<Activation> {
  const own = await ownActivation(deps, visit)
  return presentOwn(deps, visit, order ? { ...own, order } : own)
}

export async function hasFinished(
  { db, clock }: Pick<ActivationDeps, 'db' | 'clock'>,
  { user, session }: Pick<Visit, 'user'> & { session: Pick<Visit['session'], 'id'> },
): Promise<boolean> {
  // A signed-in customer has an "Activate New Sim" link on the dashboard.
  if (user || !session.id) return false
  const order = await findOrderAmong(db, orderIdOf(db, session.id))
  return order?.state === 'completed' && isShown(order, clock.now())
}

/** Handles "Try Again": a held order is resumed, and a finished activation is ended, so that the wizard starts over. */
export async function restart(deps: ActivationDeps, visit: Visit): Promise<Activation | null> {
  const own = await ownActivation(deps, visit)
  const { activation, order } = own
  const state = stateOf(activation, order)
  if (state === 'ERROR_CAN_RETRY' && order)
    return presentOwn(deps, visit, {
      ...own,
      order: (await retryOrder(deps, order)) ?? (await orderOf(deps.db, activation)),
    })
  if (state === 'PERMANENTLY_FAILED' || state === 'SUCCESSFUL') {
    await transact(deps.db, (trx) => endActivation(trx, activation.id, deps.clock.now()))
    return null
  }
  return presentOwn(deps, visit, own)
}

type Own = { activation: ActivationRow; order: Order | undefined; product: ProductRow | undefined }

async function ownActivation({ db, clock }: ActivationDeps, visit: Visit): Promise<Own> {
  const sessionId = visit.session.id
  if (!sessionId) throw notFound()
  const [found, order, product] = await Promise.all([
    findActivation(db, sessionId, clock.now()),
    findOrderAmong(db, orderIdOf(db, sessionId)),
    findProductAmong(db, productIdOf(db, sessionId)),
  ])
  if (!found) throw notFound()
  const activation = await asCustomer(db, found, visit)
  const own = await orderOf(db, activation, order)
  if (!isShown(own, clock.now())) throw notFound()
  return { activation, order: own, product }
}

async function presentOwn(deps: ActivationDeps, visit: Visit, { activation, ...justRead }: Own): Promise<Activation> {
  const { db, clock, rememberBuyer } = deps
  const { order } = justRead
  if (order && wasPaid(order.state)) rememberBuyer(visit.session)
  return maskOld(await presentActivation({ db, clock }, activation, justRead), order, { visit, now: clock.now() })
}
