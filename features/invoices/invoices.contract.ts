import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { getTotalAndCycleDataLabel, formatDays } from '#kit/contract/plans.ts'
import { decimalAmountSchema } from '#kit/contract/schema.ts'
import { servicesPartQuerySchema } from '#features/services/services.contract.ts'

const documentTypeSchema = v.picklist(['invoice', 'credit'])

export const documentTitles = { invoice: 'Tax Invoice', credit: 'Tax Credit Note' } as const

export const purchaseMessages = {
  place: 'That page of purchases doesn’t exist. Please go back to your latest purchases.',
} as const

export const purchasesPerPage = 50

/** The purchased product. `length` is in days for a plan, and `null` for an add-on. */
const productEntries = { title: v.string(), length: v.nullable(v.number()) }

/** The payment method at the time of the purchase. The customer may have saved a different card since then. */
const paymentEntries = {
  /** The payment method, for example `'Visa ending 1111'` or `'Voucher'`. */
  paid_with: v.string(),
  /** Whether the purchase was an automatic renewal. */
  auto: v.boolean(),
}

/**
 * A purchase or refund in the purchase history. A credit note's amounts are negative, so that a full credit note and its
 * invoice add up to zero.
 */
const purchaseSchema = v.object({
  created: v.string(),
  order_code: v.string(),
  ...productEntries,
  ...paymentEntries,
  total_price: decimalAmountSchema(),
  document_type: documentTypeSchema,
  partial: v.boolean(),
  /** Whether this is the service's oldest document. A list that ends with the oldest document is complete. */
  is_oldest: v.boolean(),
})
export type DocumentRow = v.InferOutput<typeof purchaseSchema>

const lineItemSchema = v.object({
  title: v.string(),
  quantity: v.number(),
  unit_price: decimalAmountSchema(),
  subtotal: decimalAmountSchema(),
  product: v.object({
    product_type: v.picklist([1, 2]),
    length: v.number(),
    sku: v.nullable(v.string()),
    data_gb: v.number(),
    voice_mins: v.number(),
    txt_sms: v.number(),
  }),
})

const invoiceSchema = v.object({
  created: v.string(),
  email: v.string(),
  full_name: v.string(),
  line_items: v.array(lineItemSchema),
  order_code: v.string(),
  /** The phone number at the time of the purchase, in national format. */
  phone_number: v.string(),
  ...paymentEntries,
  /** The GST included in the total. */
  tax: decimalAmountSchema(),
  total_price: decimalAmountSchema(),
  currency: v.string(),
  document_type: documentTypeSchema,
  /** On a credit note, the order code of the credited invoice; `null` on an invoice. */
  refund_ref: v.nullable(v.string()),
  partial: v.boolean(),
  issuer: v.object({ name: v.string(), tax_label: v.string(), tax_number: v.string(), address: v.string() }),
  pdf_url: v.string(),
})
export type Invoice = v.InferOutput<typeof invoiceSchema>

const serviceIdSchema = v.pipe(v.string(), v.maxLength(100))

const numberSchema = v.object({
  uuid: v.string(),
  phone_number: v.string(),
  name: v.nullable(v.string()),
  /** When the number was released, as an ISO 8601 instant; `null` while the customer still has it. */
  released: v.nullable(v.string()),
})
export type NumberRow = v.InferOutput<typeof numberSchema>

export const listNumbers = endpoint({
  method: 'GET',
  path: '/api/account/numbers/',
  summary:
    'Lists every number with purchases, numbers the customer no longer has last: all of them, or at most `limit` ' +
    'starting with the uuid `from`',
  query: servicesPartQuerySchema,
  output: v.array(numberSchema),
})

export const listPurchases = endpoint({
  method: 'GET',
  path: '/api/account/invoices/:uuid/',
  summary:
    'Lists a service’s purchases and credit notes, newest first: ' +
    'the newest 50, or those older than the document with the order code `before`; 400 when the service has no such document',
  params: v.object({ uuid: serviceIdSchema }),
  query: v.object({
    before: v.optional(v.pipe(v.string(purchaseMessages.place), v.maxLength(40, purchaseMessages.place))),
  }),
  output: v.array(purchaseSchema),
})

export const readInvoice = endpoint({
  method: 'GET',
  path: '/api/account/invoices/:uuid/:orderCode/',
  summary: 'Shows one invoice or credit note',
  params: v.object({ uuid: serviceIdSchema, orderCode: v.pipe(v.string(), v.maxLength(40)) }),
  output: invoiceSchema,
})

export const productLabel = ({ title, length }: { title: string; length: number | null }): string =>
  length === null ? title : `${title}, ${formatDays(length)}`

export const itemTitle = ({ title, product }: Invoice['line_items'][number]): string =>
  productLabel({ title, length: product.product_type === 1 ? product.length : null })

export const paymentMethodLabel = ({ paid_with, auto }: { paid_with: string; auto: boolean }): string =>
  auto ? `${paid_with}, by auto-renewal` : paid_with

export const saleDetailRows = (invoice: Invoice): [label: string, value: string][] => [
  ['Phone number', invoice.phone_number],
  invoice.document_type === 'credit' ? ['Refunded to', invoice.paid_with] : ['Paid with', paymentMethodLabel(invoice)],
]

export const describeCreditNote = ({ document_type, refund_ref, partial, total_price }: Invoice): string | null => {
  if (document_type !== 'credit') return null
  return partial
    ? `${formatPrice(0 - decimalToCents(total_price))} of order ${refund_ref} was refunded to the card that paid for it.`
    : `Order ${refund_ref} was refunded in full to the card that paid for it.`
}

export const itemNote = ({ product }: Invoice['line_items'][number]): string | null =>
  product.product_type === 1 ? getTotalAndCycleDataLabel(product) : null
