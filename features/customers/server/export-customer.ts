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

export function buildExportParts({ db, accountParts }: ExportDeps, user: User): ExportPart[] {
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
    createListPart('numbers', () => listNumbers(db, id), present.presentNumber),
    createListPart('auto_renewals', () => kept.exportAutoRenewals(db, id), present.presentAutoRenewal),
    createPagedPart(
      'orders',
      () => readOrdersWithPayments(db, id),
      (order) => order,
    ),
    createPagedPart('refunds', () => kept.exportRefunds(db, id), present.presentRefund),
    createPagedPart('disputes', () => kept.exportDisputes(db, id), present.presentDispute),
    createPagedPart('documents', () => kept.exportDocuments(db, id), present.presentDocument),
    createPagedPart('activations', () => kept.exportActivations(db, id), present.presentActivation),
    createPagedPart('transfers', () => kept.exportTransfers(db, id), present.presentTransfer),
    createPagedPart('transfer_events', () => kept.exportTransferEvents(db, id), present.presentTransferEvent),
    createPagedPart('messages', () => kept.exportMessages(db, id), account.presentMessage),
    createListPart('mail_stops', () => kept.exportMailStops(db, id), account.presentMailStop),
    createPagedPart('address_changes', () => kept.exportAddressChanges(db, id), account.presentAddressChange),
    createListPart('phone_changes', () => kept.exportPhoneChanges(db, id), account.presentPhoneChange),
    createListPart('wrong_pins', () => kept.exportPinFailures(db, id), account.presentPinFailures),
    createPagedPart('card_updates', () => kept.exportCardUpdates(db, id), present.presentCardUpdate),
    createPagedPart('refused_payments', () => kept.exportRefusedPayments(db, id), present.presentRefusedPayment),
    createListPart('use', () => kept.exportUsageReadings(db, id), present.presentUsageReading),
    createListPart('alerts', () => kept.exportAlerts(db, id), present.presentAlert),
    createListPart('plan_end_alerts', () => kept.exportPlanEndAlerts(db, id), present.presentPlanEndAlert),
    createListPart('watched_use', () => kept.exportUsageWatches(db, id), present.presentUsageWatch),
    createPagedPart('cycles', () => kept.exportCycleUsage(db, id), present.presentCycleUsage),
    createListPart('sessions', () => kept.exportSessions(db, id), account.presentSession),
    createPagedPart('erasure_requests', () => kept.exportErasureRequests(db, id), account.presentErasureRequest),
    createPagedPart('acts', () => kept.exportAuditEvents(db, id), account.presentAuditEvent),
  ]
}

export async function exportCustomer(deps: CustomersDeps, userId: string, actor: Actor) {
  const { db, clock } = deps
  const user = await findUser(db, userId)
  if (!user) return null
  await audit(db, clock, { event: 'customer_exported', userId, actor })
  const exportedData: Record<string, unknown> = { exported: clock.now().toString() }
  for (const part of buildExportParts(deps, user))
    exportedData[part.name] = 'one' in part ? await part.one() : (await Array.fromAsync(part.pages())).flat()
  return exportedData
}

async function* readOrdersWithPayments(db: CustomersDeps['db'], userId: string) {
  for await (const orders of kept.exportOrders(db, userId)) {
    const payments = await kept.exportPayments(
      db,
      orders.map(({ id }) => id),
    )
    const paymentsByOrder = Map.groupBy(payments, ({ order_id: id }) => id)
    yield orders.map((order) => present.presentOrder(order, paymentsByOrder.get(order.id) ?? []))
  }
}

function createPagedPart<Row>(
  name: string,
  read: () => AsyncIterable<Row[]>,
  presentRow: (row: Row) => object,
): ExportPart {
  return {
    name,
    async *pages() {
      for await (const rows of read()) {
        yield rows.map(presentRow)
        // The embedded database never yields to the event loop during a query, so yield here to let other requests run.
        await nextTurn()
      }
    },
  }
}

const rowsPerSlice = 100

const createListPart = <Row>(name: string, read: () => Promise<Row[]>, presentRow: (row: Row) => object): ExportPart =>
  createPagedPart(
    name,
    async function* () {
      const rows = await read()
      for (let start = 0; start < rows.length; start += rowsPerSlice) yield rows.slice(start, start + rowsPerSlice)
    },
    presentRow,
  )
