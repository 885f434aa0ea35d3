import { randomUUID } from 'node:crypto'
import { countUse, forgiveUse } from '#kit/server/limits.ts'
import { invalidForm } from '#kit/server/refusal.ts'
import { setFirstContactService } from '#features/auth/server/users.store.ts'
import { findPortOfOrder } from '#features/porting/server/porting.store.ts'
import { numberToBring, requestPortForOrder, reserveNumberToBring } from '#features/porting/server/porting.ts'
import { freeNumber } from '#features/porting/server/reserved-numbers.store.ts'
import { startService } from '#features/services/server/services.ts'
import { reserveSim, freeSim, lockSim, markSimActivated } from '#features/services/server/sim-packs.store.ts'
import { orderMessages } from '../orders.contract.ts'
import { isPaymentOpen } from '../orders.states.ts'
import { activationLimit } from './activation-limit.ts'
import { sendActivationMail } from './activation.mail.ts'
import { moveAndInitiate } from './initiate.ts'
import type { Kind } from './kind.ts'
import { moveOrder } from './orders.store.ts'

export const activationKind: Kind = {
  lock: (trx, { iccid }) => lockSim(trx, iccid),

  async reserve(trx, { market }, { iccid, id, porting, email }) {
    if (!(await reserveSim(trx, iccid, id))) throw invalidForm(orderMessages.simTaken)
    if (porting && !(await reserveNumberToBring(trx, numberToBring(market, porting), id)))
      throw invalidForm(orderMessages.numberTaken)
    await countUse(trx, [activationLimit(email)])
  },

  async giveBack(trx, _deps, { id, state, email }, isStuck) {
    if (!isStuck) await freeSim(trx, id)
    await freeNumber(trx, id)
    // This branch runs when the payment was refused. If the network failed the order, its payment was accepted and the
    // use stays counted.
    if (isPaymentOpen(state)) await forgiveUse(trx, [activationLimit(email)])
  },

  begin: (trx, _deps, order) => moveAndInitiate(trx, order, 'begin'),

  // Deactivating the SIM also removes its plan.
  operation: { does: 'activate_sim', undoes: 'deactivate_sim' },
  needsService: false,
  heldForRetry: true,

  async deliver(trx, deps, order, event) {
    const serviceId = randomUUID()
    const moved = await moveOrder(trx, order, event, { service_id: serviceId })
    if (!moved) return null
    if (!moved.user_id) throw new Error(`order ${order.order_code} has no customer`)
    await startService(trx, deps, {
      id: serviceId,
      userId: moved.user_id,
      orderId: order.id,
      iccid: order.iccid,
      msisdn: order.msisdn,
      product: order.product,
    })
    await setFirstContactService(trx, { id: moved.user_id, madeByOrder: order.id }, serviceId)
    if (order.porting)
      await requestPortForOrder(trx, deps, {
        serviceId,
        orderId: order.id,
        orderCode: order.order_code,
        userId: moved.user_id,
        form: order.porting,
      })
    return moved
  },

  async complete(trx, deps, order, before) {
    await markSimActivated(trx, order.iccid, deps.clock.now())
    const asked = order.porting ? await findPortOfOrder(trx, order.id) : undefined
    const port = asked?.status === 'CANCELLED' ? undefined : asked
    // A visitor who was not signed in chose a password. The password hash is deleted when the order ends, so read it
    // from `before`.
    await sendActivationMail(trx, deps, order, { port, signedIn: before.password_hash === null })
  },

  undone: orderMessages.planNotAdded,
  waitsUntil: 'accepted',
}
