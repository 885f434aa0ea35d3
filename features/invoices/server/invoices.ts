import type { Market } from '#kit/contract/bootstrap.ts'
import { gstOf } from '#kit/contract/money.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { randomCode } from '#kit/server/random-code.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { creditNoteTax } from './credit-note-tax.ts'
import { type Document, insertDocument, type Issuer, type LineItem, listOrderDocuments } from './invoices.store.ts'

type InvoicedSale = {
  id: string
  order_code: string
  service_id: string
  user_id: string
  email: string
  full_name: string
  msisdn: string
  paidWith: string
  auto_renewal: boolean
  product: Product
  amount_cents: number
  currency: string
}

/** Writes an order's tax invoice, which never changes afterwards. Call this once per order. The total is 0 if paid by voucher. */
export async function writeInvoice(
  trx: Trx,
  { clock, market, issuer }: { clock: Clock; market: Market; issuer: Issuer },
  sale: InvoicedSale,
): Promise<void> {
  const { product } = sale
  await insertDocument(
    trx,
    {
      order_code: sale.order_code,
      order_id: sale.id,
      document_type: 'invoice',
      service_id: sale.service_id,
      user_id: sale.user_id,
      msisdn: sale.msisdn,
      paid_with: sale.paidWith,
      auto_renewal: sale.auto_renewal,
      refund_ref: null,
      refund_id: null,
      is_partial: false,
      email: sale.email,
      full_name: sale.full_name,
      line_items: [
        {
          title: product.title,
          quantity: 1,
          unit_price_cents: sale.amount_cents,
          subtotal_cents: sale.amount_cents,
          product: {
            product_type: product.product_type,
            length: product.length,
            sku: product.sku,
            data_gb: product.data_gb,
            voice_mins: product.voice_mins,
            txt_sms: product.txt_sms,
          },
        },
      ],
      tax_cents: gstOf(sale.amount_cents, market.taxPart),
      total_cents: sale.amount_cents,
      currency: sale.currency,
      issuer,
    },
    clock.now(),
  )
}

/**
 * Writes a refund's credit note and returns its code. A full credit note repeats the invoice with negative amounts; a
 * partial credit note has a single item with the refunded amount. The GST on all credit notes adds up to the invoice's.
 * @throws when the order has no invoice, when the amount exceeds what is left to credit, or when the refund already has a
 * credit note
 */
export async function writeCreditNote(
  trx: Trx,
  { clock }: { clock: Clock },
  { orderId, refundId, amountCents }: { orderId: string; refundId: string; amountCents: number },
): Promise<Document['order_code']> {
  const documents = await listOrderDocuments(trx, orderId)
  const invoice = documents.find(({ document_type }) => document_type === 'invoice')
  if (!invoice) throw new Error(`order ${orderId} has no invoice to credit`)
  const { id: _, created_at: __, ...invoiceFields } = invoice
  const order_code = createCreditNoteCode()
  const remainingCents = documents.reduce((sum, { total_cents }) => sum + total_cents, 0)
  const is_partial = amountCents !== invoice.total_cents
  const creditNote = {
    ...invoiceFields,
    order_code,
    document_type: 'credit',
    refund_ref: invoice.order_code,
    refund_id: refundId,
    is_partial,
    line_items: is_partial
      ? invoice.line_items.slice(0, 1).map(toPartialLineItem(amountCents))
      : invoice.line_items.map(negateLineItem),
    tax_cents: 0 - creditNoteTax(invoice, { left: remainingCents, amount: amountCents }),
    total_cents: 0 - amountCents,
  } as const
  await insertDocument(trx, creditNote, clock.now())
  return order_code
}

const negateLineItem = (item: LineItem): LineItem => ({
  ...item,
  unit_price_cents: 0 - item.unit_price_cents,
  subtotal_cents: 0 - item.subtotal_cents,
})

/** Each order has one product, so a partial refund is for that product. */
const toPartialLineItem =
  (cents: number) =>
  (item: LineItem): LineItem => ({ ...item, quantity: 1, unit_price_cents: 0 - cents, subtotal_cents: 0 - cents })

const createCreditNoteCode = (): string => `CN${randomCode(10)}`
