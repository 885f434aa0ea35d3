import { orderFailureMessages } from '../orders.contract.ts'
import { deliverToService } from './deliver-to-service.ts'
import { initiateNextOperation } from './initiate-next-operation.ts'
import type { OrderType } from './order-type.ts'
import { sendAddOnMail } from './purchase.mail.ts'

export const addOnOrder: OrderType = {
  async releaseReservations() {},
  begin: (trx, _deps, order) => initiateNextOperation(trx, order, 'begin_addon'),
  operation: { does: 'add_addon', undoes: 'remove_addon' },
  needsService: true,
  heldForRetry: false,
  applyToService: (trx, _deps, order, event) => deliverToService(trx, order, event),
  complete: sendAddOnMail,
  undone: orderFailureMessages.addOnNotAdded,
  formWaitsUntil: 'delivered',
}
