import { randomUUID } from 'node:crypto'
import { countLimitUse, undoLimitUse } from '#kit/server/limits.ts'
import { formError } from '#kit/server/http-error.ts'
import { setFirstContactService } from '#features/auth/server/users.store.ts'
import { findPortOfOrder } from '#features/porting/server/porting.store.ts'
import { parseTransferNumber, requestPortForOrder, reserveTransferNumber } from '#features/porting/server/porting.ts'
import { releaseNumber } from '#features/porting/server/reserved-numbers.store.ts'
import { startService } from '#features/services/server/services.ts'
import { reserveSim, releaseSim, lockSim, markSimActivated } from '#features/services/server/sim-packs.store.ts'
import { orderFailureMessages } from '../orders.contract.ts'
import { isPaymentOpen } from '../orders.states.ts'
import { activationEmailLimit } from './activation-limit.ts'
import { sendActivationMail } from './activation.mail.ts'
import { initiateNextOperation } from './initiate-next-operation.ts'
import type { OrderType } from './order-type.ts'
import { transitionOrder } from './orders.store.ts'

export const activationOrder: OrderType = {
  lock: (trx, { iccid }) => lockSim(trx, iccid),

  async reserve(trx, { market }, { iccid, id, porting, email }) {
    if (!(await reserveSim(trx, iccid, id))) throw formError(orderFailureMessages.simTaken)
    if (porting && !(await reserveTransferNumber(trx, parseTransferNumber(market, porting), id)))
      throw formError(orderFailureMessages.numberTaken)
    await countLimitUse(trx, [activationEmailLimit(email)])
  },

  async releaseReservations(trx, _deps, { id, state, email }, isStuck) {
    if (!isStuck) await releaseSim(trx, id)
    await releaseNumber(trx, id)
    /*
     * The activation stops counting towards the limit only if its payment was refused. It still counts after a network
     * failure, because the payment was accepted.
     */
    if (isPaymentOpen(state)) await undoLimitUse(trx, [activationEmailLimit(email)])
  },

  begin: (trx, _deps, order) => initiateNextOperation(trx, order, 'begin'),

  // Deactivating the SIM also removes the plan from it.
  operation: { does: 'activate_sim', undoes: 'deactivate_sim' },
  needsService: false,
  heldForRetry: true,

  async applyToService(trx, deps, order, event) {
    const serviceId = randomUUID()
    const updatedOrder = await transitionOrder(trx, order, event, { service_id: serviceId })
    if (!updatedOrder) return null
    if (!updatedOrder.user_id) throw new Error(`order ${order.order_code} has no customer`)
    await startService(trx, deps, {
      id: serviceId,
      userId: updatedOrder.user_id,
      orderId: order.id,
      iccid: order.iccid,
      msisdn: order.msisdn,
      product: order.product,
    })
    await setFirstContactService(trx, { id: updatedOrder.user_id, madeByOrder: order.id }, serviceId)
    if (order.porting)
      await requestPortForOrder(trx, deps, {
        serviceId,
        orderId: order.id,
        orderCode: order.order_code,
        userId: updatedOrder.user_id,
        form: order.porting,
      })
    return updatedOrder
  },

  async complete(trx, deps, order, before) {
    await markSimActivated(trx, order.iccid, deps.clock.now())
    const orderTransfer = order.porting ? await findPortOfOrder(trx, order.id) : undefined
    const activeTransfer = orderTransfer?.status === 'CANCELLED' ? undefined : orderTransfer
    /*
     * A password hash means that the buyer was not signed in. The hash is deleted when the order completes, so read it
     * from `before`.
     */
    await sendActivationMail(trx, deps, order, { port: activeTransfer, signedIn: before.password_hash === null })
  },

  undone: orderFailureMessages.planNotAdded,
  formWaitsUntil: 'accepted',
}
