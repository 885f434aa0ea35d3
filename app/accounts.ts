import type { Trx } from '#kit/server/db.ts'
import { dropPhoneChange } from '#features/account/server/contact-phone.store.ts'
import { reassignActivations } from '#features/activation/server/activation.store.ts'
import { voidTokens } from '#features/auth/server/tokens.store.ts'
import { endChange } from '#features/change-email/server/change-email.store.ts'
import { reassignDocuments } from '#features/invoices/server/invoices.store.ts'
import { reassignOrders } from '#features/orders/server/orders.store.ts'
import { reassignCard } from '#features/payment-method/server/saved-cards.store.ts'
import { reassignServices } from '#features/services/server/services.store.ts'

// What an account has lies in many slices. These two act on all of them, in the caller's transaction.

/**
 * Gives all that belongs to one account to another. The orders go first: the worker that delivers one holds it, and its
 * service comes with it.
 */
export async function reassignAll(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  await reassignOrders(trx, fromUserId, toUserId)
  await reassignActivations(trx, fromUserId, toUserId)
  await reassignServices(trx, fromUserId, toUserId)
  await reassignDocuments(trx, fromUserId, toUserId)
  await reassignCard(trx, fromUserId, toUserId)
}

/** Ends the changes of address and of contact phone that were asked for. */
export async function endRequests(trx: Trx, userId: string, now: Temporal.Instant): Promise<void> {
  await endChange(trx, userId, now)
  await dropPhoneChange(trx, userId)
  await voidTokens(trx, userId, ['change-email', 'phone'], now)
}
