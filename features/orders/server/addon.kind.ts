import { orderMessages } from '../orders.contract.ts'
import { deliverToService } from './deliver-to-service.ts'
import { moveAndInitiate } from './initiate.ts'
import type { Kind } from './kind.ts'
import { sendAddOnMail } from './purchase.mail.ts'

export const addOnKind: Kind = {
  async giveBack() {},
  begin: (trx, _deps, order) => moveAndInitiate(trx, order, 'begin_addon'),
  operation: { does: 'add_addon', undoes: 'remove_addon' },
  needsService: true,
  heldForRetry: false,
  deliver: (trx, _deps, order, event) => deliverToService(trx, order, event),
  complete: sendAddOnMail,
  undone: orderMessages.addOnNotAdded,
  waitsUntil: 'delivered',
}
