import { fromDate, toDate } from '#kit/server/clock.ts'
import { rescheduleNumberRelease, startOrQueuePlan } from '#features/services/server/services.ts'
import { orderFailureMessages } from '../orders.contract.ts'
import { deliverAndReplaceQueuedPlan } from './replace-queued-plan.ts'
import { deliverToService } from './deliver-to-service.ts'
import { initiateNextOperation } from './initiate-next-operation.ts'
import type { OrderType } from './order-type.ts'
import { sendRenewalMail } from './purchase.mail.ts'

export const renewalOrder: OrderType = {
  // An open renewal suspends the release of the service's number, so a failed renewal schedules it again.
  async releaseReservations(trx, deps, { service_id: serviceId }) {
    if (serviceId) await rescheduleNumberRelease(trx, deps, serviceId)
  },

  begin(trx, deps, order) {
    // If the start time has passed, start the plan immediately, so that our row matches the network's order.
    const isDue = order.starts_at !== null && order.starts_at <= toDate(deps.clock.now())
    return initiateNextOperation(trx, order, 'begin_plan', isDue ? { starts_at: null } : {})
  },

  operation: { does: 'add_plan', undoes: 'remove_plan' },
  needsService: true,
  heldForRetry: false,

  applyToService: (trx, deps, order, event) =>
    deliverAndReplaceQueuedPlan(trx, deps, { order, event }, () =>
      deliverToService(trx, order, event, (locked) =>
        startOrQueuePlan(trx, deps, locked, {
          orderId: order.id,
          product: order.product,
          startsAt: order.starts_at && fromDate(order.starts_at),
        }),
      ),
    ),

  complete: sendRenewalMail,
  undone: orderFailureMessages.planNotAdded,
  formWaitsUntil: 'delivered',
}
