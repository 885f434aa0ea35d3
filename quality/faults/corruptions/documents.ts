import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Corruption, type Part, type CorruptionTarget } from './corruption.ts'

const readCreditNote = (site: CorruptionTarget, part: Part) =>
  site.trx
    .selectFrom('invoices')
    .selectAll()
    .where('order_id', '=', site.ids[part])
    .orderBy('total_cents')
    .executeTakeFirstOrThrow()
const copyDocument = async (site: CorruptionTarget, part: Part, change: object) => {
  const document = await readCreditNote(site, part)
  const json = { line_items: JSON.stringify(document.line_items), issuer: JSON.stringify(document.issuer) }
  await site.trx
    .insertInto('invoices')
    .values({ ...document, ...json, id: randomUUID(), ...change })
    .execute()
}
const updateInvoice = (
  { trx, ids }: CorruptionTarget,
  part: Part,
  values: { tax_cents: number } | { total_cents: number },
) => trx.updateTable('invoices').set(values).where('order_id', '=', ids[part]).execute()

export const documentCorruptions: Corruption[] = [
  {
    what: 'a refund has no credit note',
    kind: 'lost',
    of: 'refunded',
    says: /has 0 credit notes for 1 refunds/,
    plant: ({ trx, ids }) =>
      trx.deleteFrom('invoices').where('order_id', '=', ids.refunded).where('document_type', '=', 'credit').execute(),
  },
  {
    what: 'a credit note has no refund',
    kind: 'unexplained',
    of: 'card',
    says: /has 1 credit notes for 0 refunds/,
    plant: (site) =>
      copyDocument(site, 'card', {
        document_type: 'credit',
        order_code: 'CN0',
        refund_ref: site.codes.card,
        total_cents: -2200,
      }),
  },
  {
    what: 'a refund has two credit notes',
    kind: 'doubled',
    of: 'refunded',
    says: /has 2 credit notes for 1 refunds/,
    async plant(site) {
      await sql`alter table invoices drop constraint invoices_refund_id_key`.execute(site.trx)
      await copyDocument(site, 'refunded', { order_code: 'CN0' })
    },
  },
  {
    what: 'an order has no invoice',
    kind: 'lost',
    of: 'addon',
    says: /has 0 invoices/,
    plant: ({ trx, ids }) => trx.deleteFrom('invoices').where('order_id', '=', ids.addon).execute(),
  },
  {
    what: 'an order has two invoices',
    kind: 'doubled',
    of: 'addon',
    says: /has 2 invoices/,
    async plant(site) {
      await sql`drop index one_invoice_for_an_order`.execute(site.trx)
      await copyDocument(site, 'addon', { order_code: `${site.codes.addon}X` })
    },
  },
  {
    what: 'an invoice has a wrong amount',
    kind: 'unexplained',
    of: 'renewal',
    says: /has an invoice of another amount/,
    plant: (site) => updateInvoice(site, 'renewal', { total_cents: 3500 }),
  },
  {
    what: 'an invoice has a wrong GST amount',
    kind: 'unexplained',
    of: 'renewal',
    says: /has an invoice with another GST/,
    plant: (site) => updateInvoice(site, 'renewal', { tax_cents: 1 }),
  },
]
