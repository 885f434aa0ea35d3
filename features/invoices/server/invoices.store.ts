import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Json } from '#kit/server/json.ts'
import { queryPart, type Value } from '#kit/server/combined-query.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { productTypes } from '#features/plans/plans.contract.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    invoices: DocumentTable
  }
}

type DocumentTable = {
  id: string
  order_code: string
  order_id: string
  document_type: 'invoice' | 'credit'
  service_id: string
  user_id: string
  msisdn: string
  paid_with: string
  auto_renewal: boolean
  refund_ref: string | null
  refund_id: string | null
  is_partial: boolean
  created_at: Date
  email: string
  full_name: string
  line_items: Json<LineItem[]>
  tax_cents: number
  total_cents: number
  currency: string
  issuer: Json<Issuer>
}

/** An invoice or credit note. Amounts are in cents, including GST; a credit note's amounts are negative. */
export type Document = Selectable<DocumentTable>

export type Issuer = { name: string; tax_label: string; tax_number: string; address: string }

/** A line item on a document. Amounts are in cents, including GST. */
export type LineItem = {
  title: string
  quantity: number
  unit_price_cents: number
  subtotal_cents: number
  product: {
    product_type: number
    length: number
    sku: string | null
    data_gb: number
    voice_mins: number
    txt_sms: number
  }
}

/** Inserts a document. A document never changes once it has been inserted. */
export async function insertDocument(
  trx: Trx,
  document: Omit<Document, 'id' | 'created_at'>,
  at: Temporal.Instant,
): Promise<void> {
  await trx
    .insertInto('invoices')
    .values({
      ...document,
      id: randomUUID(),
      created_at: toDate(at),
      line_items: JSON.stringify(document.line_items),
      issuer: JSON.stringify(document.issuer),
    })
    .execute()
}

export async function reassignDocuments(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  await trx.updateTable('invoices').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute()
}

type DocumentOwner = { userId: string; serviceId: string }

export const newestDocumentsQueryPart = (
  db: Db,
  userId: Value,
  { serviceId, limit }: Record<'serviceId' | 'limit', string>,
) =>
  queryPart(documentsQuery(db, userId, sql<string>`nullif(${serviceId}, '')::uuid`).limit(sql<number>`${limit}::int`), {
    created_at: true,
  })

export async function listOlderDocuments(
  db: Db,
  { userId, serviceId }: DocumentOwner,
  { before, limit }: { before: Document; limit: number },
): Promise<Document[]> {
  const { created_at: at, document_type: type, order_code: code } = before
  return documentsQuery(db, userId, serviceId)
    .where('created_at', '<=', at)
    .where(sql<boolean>`(created_at < ${at} or (document_type, order_code) > (${type}, ${code}))`)
    .limit(limit)
    .execute()
}

const documentsQuery = (db: Db, userId: Value, serviceId: Value) =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('service_id', '=', serviceId)
    .orderBy('created_at', 'desc')
    .orderBy('document_type')
    .orderBy('order_code')

/**
 * How many cents a customer paid for a service, minus refunds, in each of the months that begin at `starts`. The last
 * month is open-ended.
 */
export async function sumSpentByMonth(
  db: Db,
  { userId, serviceId }: DocumentOwner,
  starts: Temporal.Instant[],
): Promise<number[]> {
  if (!isUuid(serviceId)) return starts.map(() => 0)
  const monthStarts = starts.map((start) => toDate(start).toISOString())
  const month = sql<number>`width_bucket(created_at, ${monthStarts}::timestamptz[])`
  const rows = await db
    .selectFrom('invoices')
    .select([month.as('month'), sql<string>`sum(total_cents)`.as('cents')])
    .where('user_id', '=', userId)
    .where('service_id', '=', serviceId)
    .where(sql<boolean>`created_at >= ${monthStarts[0]}::timestamptz`)
    .groupBy('month')
    .execute()
  const centsByMonth = new Map(rows.map(({ month: at, cents }) => [at, Number(cents)]))
  return starts.map((_, at) => centsByMonth.get(at + 1) ?? 0)
}

/** How many cents a customer paid for a service's data add-ons in a period, minus refunds, grouped by SKU. */
export async function sumDataAddOnSpending(
  db: Db,
  { userId, serviceId }: DocumentOwner,
  { since, until }: { since: Date; until: Date },
): Promise<Map<string | null, number>> {
  const { rows } = await sql<{ sku: string | null; cents: string }>`
    select item->'product'->>'sku' as sku, sum((item->>'subtotal_cents')::bigint) as cents
    from invoices, jsonb_array_elements(line_items) item
    where user_id = ${userId} and service_id = ${serviceId} and created_at >= ${since} and created_at < ${until}
      and (item->'product'->>'product_type')::int = ${productTypes.addon} and (item->'product'->>'data_gb')::numeric > 0
    group by 1`.execute(db)
  return new Map(rows.map(({ sku, cents }) => [sku, Number(cents)]))
}

/** Finds a document for the customer's service. Returns `undefined` if it does not exist or belongs to someone else. */
export async function findOwnDocument(
  db: Db,
  { userId, serviceId }: DocumentOwner,
  orderCode: string,
): Promise<Document | undefined> {
  if (!isUuid(serviceId)) return undefined
  return db
    .selectFrom('invoices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('service_id', '=', serviceId)
    .where('order_code', '=', orderCode)
    .executeTakeFirst()
}

export const findDocument = (db: Db | Trx, orderCode: string): Promise<Document | undefined> =>
  db.selectFrom('invoices').selectAll().where('order_code', '=', orderCode).executeTakeFirst()

export const listOrderDocuments = (db: Db | Trx, orderId: string): Promise<Document[]> =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .orderBy('document_type', 'desc')
    .execute()

/** Returns the order code of a refund's credit note. @throws when the refund has no credit note */
export const findCreditNoteCode = async (trx: Trx, refundId: string): Promise<string> =>
  (await trx.selectFrom('invoices').select('order_code').where('refund_id', '=', refundId).executeTakeFirstOrThrow())
    .order_code
