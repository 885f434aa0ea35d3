import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { wireMoney } from '#kit/contract/schema.ts'

const documentType = v.picklist(['invoice', 'credit'])

/** What a document calls itself, on the page and in print. */
export const documentTitles = { invoice: 'Tax Invoice', credit: 'Tax Credit Note' } as const

/** One purchase or refund. All amounts of a credit are negative: they and its original's come to nothing. */

const purchaseSchema = v.object({
  created: v.string(),
  order_code: v.string(),
  total_price: wireMoney(),
  document_type: documentType,
})
export type DocumentRow = v.InferOutput<typeof purchaseSchema>

const lineItemSchema = v.object({
  title: v.string(),
  quantity: v.number(),
  unit_price: wireMoney(),
  subtotal: wireMoney(),
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
  /** The GST in the total. */
  tax: wireMoney(),
  total_price: wireMoney(),
  currency: v.string(),
  document_type: documentType,
  /** A credit note's original. */
  refund_ref: v.nullable(v.string()),
  issuer: v.object({ name: v.string(), tax_label: v.string(), tax_number: v.string(), address: v.string() }),
  /** Where the same document downloads as PDF: a path of its own, not a page of the portal. */
  pdf_url: v.string(),
})
export type Invoice = v.InferOutput<typeof invoiceSchema>

const uuid = v.pipe(v.string(), v.maxLength(100))

export const listPurchases = endpoint({
  method: 'GET',
  path: '/api/account/invoices/:uuid/',
  summary: 'The purchase history of a service, newest first, credit notes included',
  params: v.object({ uuid }),
  output: v.array(purchaseSchema),
})

export const readInvoice = endpoint({
  method: 'GET',
  path: '/api/account/invoices/:uuid/:orderCode/',
  summary: 'One invoice or credit note',
  params: v.object({ uuid, orderCode: v.pipe(v.string(), v.maxLength(40)) }),
  output: invoiceSchema,
})
