import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { findSavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import { listNumbers } from './customer.store.ts'
import type { CustomersDeps } from './customers.deps.ts'
import * as present from './export.present.ts'
import * as kept from './export.store.ts'

/** All that is kept of a person, for them. Null when there is no such customer. */
export async function exportCustomer(deps: CustomersDeps, userId: string, actor: Actor) {
  const { db, clock, accountParts } = deps
  const user = await findUser(db, userId)
  if (!user) return null
  await audit(db, clock, { event: 'customer_exported', userId, actor })
  const card = await findSavedCard(db, userId)
  const payments = await kept.exportPayments(db, userId)
  return {
    exported: clock.now().toString(),
    person: present.presentPerson(user, (await accountParts.phone(userId))?.phone ?? null),
    saved_card: card ? present.presentCard(card) : null,
    numbers: (await listNumbers(db, userId)).map(present.presentNumber),
    orders: (await kept.exportOrders(db, userId)).map((order) => present.presentOrder(order, payments)),
    refunds: (await kept.exportRefunds(db, userId)).map(present.presentRefund),
    documents: (await kept.exportDocuments(db, userId)).map(present.presentDocument),
    transfers: (await kept.exportTransfers(db, userId)).map(present.presentTransfer),
    messages: (await kept.exportMessages(db, userId)).map(present.presentMessage),
    address_changes: (await kept.exportAddressChanges(db, userId)).map(present.presentAddressChange),
    card_updates: (await kept.exportCardUpdates(db, userId)).map(present.presentCardUpdate),
    refused_payments: (await kept.exportRefusedPayments(db, userId)).map(present.presentRefusedPayment),
    use: (await kept.exportUse(db, userId)).map(present.presentUse),
    alerts: {
      use: (await kept.exportAlerts(db, userId)).map(present.presentAlert),
      before_end: (await kept.exportPlanEndAlerts(db, userId)).map(present.presentPlanEndAlert),
      watched: (await kept.exportWatches(db, userId)).map(present.presentWatch),
    },
    cycles: (await kept.exportCycles(db, userId)).map(present.presentCycle),
    sessions: (await kept.exportSessions(db, userId)).map(present.presentSession),
    acts: (await kept.exportActs(db, userId)).map(present.presentAct),
  }
}
