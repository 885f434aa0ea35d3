import { toWire } from '#kit/contract/money.ts'
import type { Invoice, DocumentRow } from '../invoices.contract.ts'
import type { Document, LineItem } from './invoices.store.ts'

export const presentPurchase = ({ created_at, order_code, total_cents, document_type }: Document): DocumentRow => ({
  created: created_at.toISOString(),
  order_code,
  total_price: toWire(total_cents),
  document_type,
})

/** A document as it is shown, on the page and in print: the PDF is made of this, too. */
export const presentInvoice = (document: Document): Invoice => ({
  created: document.created_at.toISOString(),
  email: document.email,
  full_name: document.full_name,
  line_items: document.line_items.map(presentLine),
  order_code: document.order_code,
  tax: toWire(document.tax_cents),
  total_price: toWire(document.total_cents),
  currency: document.currency,
  document_type: document.document_type,
  refund_ref: document.refund_ref,
  issuer: presentIssuer(document.issuer),
  pdf_url: `/documents/${document.service_id}/${document.order_code}.pdf`,
})

const presentLine = ({
  title,
  quantity,
  unit_price_cents,
  subtotal_cents,
  product,
}: LineItem): Invoice['line_items'][number] => ({
  title,
  quantity,
  unit_price: toWire(unit_price_cents),
  subtotal: toWire(subtotal_cents),
  product: {
    product_type: product.product_type === 2 ? 2 : 1,
    length: product.length,
    sku: product.sku,
    data_gb: product.data_gb,
    voice_mins: product.voice_mins,
    txt_sms: product.txt_sms,
  },
})

const presentIssuer = ({ name, tax_label, tax_number, address }: Document['issuer']): Invoice['issuer'] => ({
  name,
  tax_label,
  tax_number,
  address,
})
