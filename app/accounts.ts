import type { Actor } from '#kit/server/actor.ts'
import type { Trx } from '#kit/server/db.ts'
import { deleteSessions } from '#kit/server/session.ts'
import { deletePendingNumber } from '#features/account/server/contact-phone.store.ts'
import { deleteUserActivations, reassignActivations } from '#features/activation/server/activation.store.ts'
import { deleteAlertChannels } from '#features/alerts/server/alerts.store.ts'
import { deleteWatches } from '#features/alerts/server/watch.store.ts'
import { eraseUser } from '#features/auth/server/staff-actions.store.ts'
import { deleteTokens, invalidateTokens } from '#features/auth/server/tokens.store.ts'
import { deleteAutoRenewals } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { stopAutoRenewal } from '#features/auto-renewal/server/auto-renewal.ts'
import { clearPinAttempts } from '#features/change-email/server/pin-tries.store.ts'
import { deleteEmailChanges, endOpenEmailChange } from '#features/change-email/server/change-email.store.ts'
import type { LockedCustomer } from '#features/customers/server/locked-customer.ts'
import { deleteCycles } from '#features/history/server/cycle-usage.store.ts'
import { deleteSummary } from '#features/history/server/yearly-summaries.store.ts'
import { reassignDocuments } from '#features/invoices/server/invoices.store.ts'
import { allowMailToUser } from '#features/messages/server/mail-stops.store.ts'
import { deleteUserMessages, reassignMessages } from '#features/messages/server/messages.store.ts'
import { eraseCustomerFromOrders, lockUserOrders } from '#features/orders/server/erase-customer-orders.store.ts'
import { reassignOrders } from '#features/orders/server/orders.store.ts'
import { eraseOrderCards, listStoredCards } from '#features/orders/server/payments.store.ts'
import { deleteUserCardUpdates } from '#features/payment-method/server/card-updates.store.ts'
import { scheduleCardRemoval } from '#features/payment-method/server/payment-method.ts'
import { deleteSavedCard, reassignCard } from '#features/payment-method/server/saved-cards.store.ts'
import { erasePorts } from '#features/porting/server/porting.store.ts'
import { releaseNumber } from '#features/porting/server/reserved-numbers.store.ts'
import { deleteErasureRequests } from '#features/privacy/server/erasure-requests.store.ts'
import {
  deleteUserRefusedPayments,
  reassignRefusedPayments,
} from '#features/refused-payments/server/refused-payments.store.ts'
import { deleteDeadlines } from '#features/services/server/deadlines.store.ts'
import { dequeuePlans } from '#features/services/server/queued-plans.store.ts'
import { beginRelease } from '#features/services/server/release-number.ts'
import { eraseNumberNames, reassignServices } from '#features/services/server/services.store.ts'
import { eraseSimNumbers } from '#features/services/server/sim-packs.store.ts'
import { deleteReadings } from '#features/usage/server/readings.store.ts'
import { deleteCallerChecks } from '#desk/features/caller-verification/server/caller-checks.store.ts'
import { deleteCustomerNotes, reassignNotes } from '#desk/features/customers/server/notes.store.ts'
import type { Deps } from './deps.ts'

/**
 * Reassigns everything that one customer owns to another customer. Orders are reassigned first, because the delivery worker also locks an
 * order before its service.
 */
export async function reassignAccountData(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  await reassignOrders(trx, fromUserId, toUserId)
  await reassignActivations(trx, fromUserId, toUserId)
  await reassignServices(trx, fromUserId, toUserId)
  await reassignDocuments(trx, fromUserId, toUserId)
  await reassignCard(trx, fromUserId, toUserId)
  await reassignMessages(trx, fromUserId, toUserId)
  await reassignRefusedPayments(trx, fromUserId, toUserId)
  await reassignNotes(trx, fromUserId, toUserId)
}

export async function endPendingRequests(trx: Trx, userId: string, now: Temporal.Instant): Promise<void> {
  await endOpenEmailChange(trx, userId, now)
  await deletePendingNumber(trx, userId)
  await invalidateTokens(trx, userId, ['change-email', 'phone'], now)
}

/** Ends a customer's services and removes their saved cards. The requests to the network and the gateway are only queued. */
export async function endServicesAndCards(
  trx: Trx,
  deps: Deps,
  { user, services }: LockedCustomer,
  actor: Actor,
): Promise<void> {
  for (const service of services) {
    await stopAutoRenewal(trx, deps, { id: service.id, userId: user.id }, actor)
    await dequeuePlans(trx, [service.id])
    await deleteDeadlines(trx, [service.id])
    await releaseNumber(trx, service.id)
    await beginRelease(trx, deps, service)
  }
  const saved = await deleteSavedCard(trx, user.id)
  const cards = new Map((await listStoredCards(trx, user.id)).map((card) => [card.storedId, card]))
  if (saved)
    cards.set(saved.stored_id, { storedId: saved.stored_id, shopperReference: saved.shopper_reference ?? user.id })
  // Cards that the customer has replaced are removed too, because the gateway still stores them.
  for (const card of cards.values()) await scheduleCardRemoval(trx, deps, card)
}

/**
 * Erases a customer's personal data. Invoices and the audit trail are kept, and a service keeps its number until the
 * network releases it.
 */
export async function erasePersonalData(
  trx: Trx,
  { clock }: Pick<Deps, 'clock'>,
  { user: { id: userId, email }, services }: LockedCustomer,
): Promise<void> {
  const orders = await lockUserOrders(trx, userId)
  const orderIds = orders.map(({ id }) => id)
  const serviceIds = services.map(({ id }) => id)
  const numbers = [...services, ...orders].map(({ msisdn }) => msisdn)
  // An order that did not succeed still holds the email address that the customer had when they placed it.
  const emails = [...new Set([email, ...orders.map((order) => order.email)])].filter(Boolean)
  await eraseCustomerFromOrders(trx, userId, emails)
  await eraseOrderCards(trx, orderIds)
  await deleteUserActivations(trx, { userId, emails, orderIds })
  await erasePorts(trx, serviceIds)
  await eraseNumberNames(trx, userId)
  await deleteAutoRenewals(trx, serviceIds)
  await deleteReadings(trx, serviceIds)
  await deleteAlertChannels(trx, serviceIds)
  await deleteWatches(trx, serviceIds)
  await deleteCycles(trx, serviceIds)
  await deleteSummary(trx, userId)
  await deleteUserCardUpdates(trx, userId)
  await deleteUserRefusedPayments(trx, userId)
  await deleteEmailChanges(trx, userId)
  await clearPinAttempts(trx, userId)
  await deletePendingNumber(trx, userId)
  await deleteTokens(trx, userId)
  await allowMailToUser(trx, userId)
  await deleteErasureRequests(trx, userId)
  await deleteCustomerNotes(trx, userId)
  await deleteCallerChecks(trx, userId)
  await deleteUserMessages(trx, userId, [...new Set([...emails, ...numbers])].filter(Boolean))
  await deleteSessions(trx, userId)
  await eraseSimNumbers(
    trx,
    services.map(({ iccid }) => iccid),
  )
  await eraseUser(trx, userId, clock.now())
}
