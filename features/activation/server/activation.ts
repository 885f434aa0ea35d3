import { transact } from '#kit/server/db.ts'
import { notFound } from '#kit/server/http-error.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { findOrderByIdOrSubquery, type Order } from '#features/orders/server/orders.store.ts'
import { retryOrder } from '#features/orders/server/orders.ts'
import { wasPaid } from '#features/orders/orders.states.ts'
import { findProductByIdOrSubquery, type ProductRow } from '#features/plans/server/plans.store.ts'
import type { Activation } from '../activation.contract.ts'
import type { ActivationDeps } from './activation.deps.ts'
import { type ActivationRow, endActivation, findActivation, orderIdQuery, productIdQuery } from './activation.store.ts'
import { presentActivation, getVisibleState } from './activation.present.ts'
import { attachSignedInCustomer } from './activation-customer.ts'
import { findActivationOrder } from './activation-order.ts'
import { isStillVisible, maskAfterDelay } from './activation-visibility.ts'

/**
 * Returns the activation in the visitor's session. Callers that have just read its order can pass it as `order`.
 * @throws 404 when there is no activation
 */
export async function currentActivation(
  deps: ActivationDeps,
  visit: RequestContext,
  order?: Order,
): Promise<Activation> {
  const sessionActivation = await findSessionActivation(deps, visit)
  return presentSessionActivation(deps, visit, order ? { ...sessionActivation, order } : sessionActivation)
}

export async function hasVisibleActivation(
  { db, clock }: Pick<ActivationDeps, 'db' | 'clock'>,
  { user, session }: Pick<RequestContext, 'user'> & { session: Pick<RequestContext['session'], 'id'> },
): Promise<boolean> {
  // Signed-in customers already have an “Activate New Sim” link on their dashboard.
  if (user || !session.id) return false
  const order = await findOrderByIdOrSubquery(db, orderIdQuery(db, session.id))
  return order?.state === 'completed' && isStillVisible(order, clock.now())
}

/**
 * Handles “Try Again”: resumes an order that is on hold, or ends a finished activation so that the visitor can start
 * again.
 */
export async function restartWizard(deps: ActivationDeps, visit: RequestContext): Promise<Activation | null> {
  const sessionActivation = await findSessionActivation(deps, visit)
  const { activation, order } = sessionActivation
  const state = getVisibleState(activation, order)
  if (state === 'ERROR_CAN_RETRY' && order)
    return presentSessionActivation(deps, visit, {
      ...sessionActivation,
      order: (await retryOrder(deps, order)) ?? (await findActivationOrder(deps.db, activation)),
    })
  if (state === 'PERMANENTLY_FAILED' || state === 'SUCCESSFUL') {
    await transact(deps.db, (trx) => endActivation(trx, activation.id, deps.clock.now()))
    return null
  }
  return presentSessionActivation(deps, visit, sessionActivation)
}

type SessionActivation = { activation: ActivationRow; order: Order | undefined; product: ProductRow | undefined }

async function findSessionActivation({ db, clock }: ActivationDeps, visit: RequestContext): Promise<SessionActivation> {
  const sessionId = visit.session.id
  if (!sessionId) throw notFound()
  const [activationRow, order, product] = await Promise.all([
    findActivation(db, sessionId, clock.now()),
    findOrderByIdOrSubquery(db, orderIdQuery(db, sessionId)),
    findProductByIdOrSubquery(db, productIdQuery(db, sessionId)),
  ])
  if (!activationRow) throw notFound()
  const activation = await attachSignedInCustomer(db, activationRow, visit)
  const currentOrder = await findActivationOrder(db, activation, order)
  if (!isStillVisible(currentOrder, clock.now())) throw notFound()
  return { activation, order: currentOrder, product }
}

async function presentSessionActivation(
  deps: ActivationDeps,
  visit: RequestContext,
  { activation, ...prefetched }: SessionActivation,
): Promise<Activation> {
  const { db, clock, rememberBuyer } = deps
  const { order } = prefetched
  if (order && wasPaid(order.state)) rememberBuyer(visit.session)
  return maskAfterDelay(await presentActivation({ db, clock }, activation, prefetched), order, {
    visit,
    now: clock.now(),
  })
}
