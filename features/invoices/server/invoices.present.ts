import { centsToDecimal } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { CurrentOrFormerService } from '#features/services/server/own-service.store.ts'
import type { Invoice, DocumentRow, NumberRow } from '../invoices.contract.ts'
import type { Document, LineItem } from './invoices.store.ts'

export const presentNumber = ({ id, msisdn, name, released_at }: CurrentOrFormerService): NumberRow => ({
  uuid: id,
  name,
  phone_number: formatNational(msisdn),
  released: released_at?.toISOString() ?? null,
})

/** Presents the first `limit` documents. `documentsRead` may contain one document more, which means that the service has older ones. */
export const presentPurchases = (documentsRead: Document[], limit: number): DocumentRow[] =>
  documentsRead
    .slice(0, limit)
    .map((document, at) => ({ ...presentPurchase(document), is_oldest: at === documentsRead.length - 1 }))

export const presentPurchase = ({
  created_at,
  order_code,
  line_items: [item],
  paid_with,
  auto_renewal,
  total_cents,
  document_type,
  is_partial,
}: Document): Omit<DocumentRow, 'is_oldest'> => ({
  created: created_at.toISOString(),
  order_code,
  // Each order has one product, so there is only one line item.
  title: item?.title ?? '',
  length: item && item.product.product_type !== 2 ? item.product.length : null,
  paid_with,
  auto: auto_renewal,
  total_price: centsToDecimal(total_cents),
  document_type,
  partial: is_partial,
})

export const presentInvoice = (document: Document): Invoice => ({
  created: document.created_at.toISOString(),
  email: document.email,
  full_name: document.full_name,
  line_items: document.line_items.map(presentLineItem),
  order_code: document.order_code,
  phone_number: formatNational(document.msisdn),
  paid_with: document.paid_with,
  auto: document.auto_renewal,
  tax: centsToDecimal(document.tax_cents),
  total_price: centsToDecimal(document.total_cents),
  currency: document.currency,
  document_type: document.document_type,
  refund_ref: document.refund_ref,
  partial: document.is_partial,
  issuer: presentIssuer(document.issuer),
  pdf_url: `/documents/${document.service_id}/${document.order_code}.pdf`,
})

const presentLineItem = ({
  title,
  quantity,
  unit_price_cents,
  subtotal_cents,
  product,
}: LineItem): Invoice['line_items'][number] => ({
  title,
  quantity,
  unit_price: centsToDecimal(unit_price_cents),
  subtotal: centsToDecimal(subtotal_cents),
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
