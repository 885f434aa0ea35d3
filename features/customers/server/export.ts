import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import { findSavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import { listNumbers } from './customer.store.ts'
import type { CustomersDeps, ExportPart } from './customers.deps.ts'
import * as account from './export-account.present.ts'
import * as present from './export.present.ts'
import * as kept from './export.store.ts'

type ExportDeps = Pick<CustomersDeps, 'db' | 'accountParts'>

export function exportParts({ db, accountParts }: ExportDeps, user: User): ExportPart[] {
  const { id } = user
  return [
    {
      name: 'person',
      one: async () => present.presentPerson(user, (await accountParts.phone(id))?.phone ?? null),
    },
    {
      name: 'saved_card',
      async one() {
        const card = await findSavedCard(db, id)
        return card ? present.presentCard(card) : null
      },
    },
    all('numbers', () => listNumbers(db, id), present.presentNumber),
    all('auto_renewals', () => kept.exportAutoRenewals(db, id), present.presentAutoRenewal),
    paged(
      'orders',
      () => ordersOf(db, id),
      (order) => order,
    ),
    paged('refunds', () => kept.exportRefunds(db, id), present.presentRefund),
    paged('disputes', () => kept.exportDisputes(db, id), present.presentDispute),
    paged('documents', () => kept.exportDocuments(db, id), present.presentDocument),
    paged('activations', () => kept.exportActivations(db, id), present.presentActivation),
    paged('transfers', () => kept.exportTransfers(db, id), present.presentTransfer),
    paged('transfer_events', () => kept.exportTransferEvents(db, id), present.presentTransferEvent),
    paged('messages', () => kept.exportMessages(db, id), account.presentMessage),
    all('mail_stops', () => kept.exportMailStops(db, id), account.presentMailStop),
    paged('address_changes', () => kept.exportAddressChanges(db, id), account.presentAddressChange),
    all('phone_changes', () => kept.exportPhoneChanges(db, id), account.presentPhoneChange),
    all('wrong_pins', () => kept.exportWrongPins(db, id), account.presentWrongPins),
    paged('card_updates', () => kept.exportCardUpdates(db, id), present.presentCardUpdate),
    paged('refused_payments', () => kept.exportRefusedPayments(db, id), present.presentRefusedPayment),
    all('use', () => kept.exportUse(db, id), present.presentUse),
    all('alerts', () => kept.exportAlerts(db, id), present.presentAlert),
    all('plan_end_alerts', () => kept.exportPlanEndAlerts(db, id), present.presentPlanEndAlert),
    all('watched_use', () => kept.exportWatches(db, id), present.presentWatch),
    paged('cycles', () => kept.exportCycles(db, id), present.presentCycle),
    all('sessions', () => kept.exportSessions(db, id), account.presentSession),
    paged('erasure_requests', () => kept.exportErasureRequests(db, id), account.presentErasureRequest),
    paged('acts', () => kept.exportActs(db, id), account.presentAct),
  ]
}

export async function exportCustomer(deps: CustomersDeps, userId: string, actor: Actor) {
  const { db, clock } = deps
  const user = await findUser(db, userId)
  if (!user) return null
  await audit(db, clock, { event: 'customer_exported', userId, actor })
  const all: Record<string, unknown> = { exported: clock.now().toString() }
  for (const part of exportParts(deps, user))
    all[part.name] = 'one' in part ? await part.one() : (await Array.fromAsync(part.pages())).flat()
  return all
}

async function* ordersOf(db: CustomersDeps['db'], userId: string) {
  for await (const orders of kept.exportOrders(db, userId)) {
    const payments = await kept.exportPayments(
      db,
      orders.map(({ id }) => id),
    )
    const byOrder = Map.groupBy(payments, ({ order_id: id }) => id)
    yield orders.map((order) => present.presentOrder(order, byOrder.get(order.id) ?? []))
  }
}

function paged<Row>(name: string, read: () => AsyncIterable<Row[]>, shown: (row: Row) => object): ExportPart {
  return {
    name,
    async *pages() {
      for await (const rows of read()) {
        yield rows.map(shown)
        // The embedded database answers in the same turn of the event loop, so yield explicitly.
        await nextTurn()
      }
    },
  }
}

const rowsAtOnce = 100

const all = <Row>(name: string, read: () => Promise<Row[]>, shown: (row: Row) => object): ExportPart =>
  paged(
    name,
    async function* () {
      const rows = await read()
      for (let start = 0; start < rows.length; start += rowsAtOnce) yield rows.slice(start, start + rowsAtOnce)
    },
    shown,
  )
