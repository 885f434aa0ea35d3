import { randomUUID } from 'node:crypto'
import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Json } from '#kit/server/json.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    invoices: {
      id: string
      order_code: string
      order_id: string
      document_type: 'invoice' | 'credit'
      service_id: string
      user_id: string
      refund_ref: string | null
      created_at: Date
      email: string
      full_name: string
      line_items: Json<LineItem[]>
      tax_cents: number
      total_cents: number
      currency: string
      issuer: Json<Issuer>
    }
  }
}

/** Who issues the invoice: a company and its GST number or ABN. */
export type Issuer = { name: string; tax_label: string; tax_number: string; address: string }

/** Amounts in cents, including GST. */
export type LineItem = {
  title: string
  quantity: number
  unit_price_cents: number
  subtotal_cents: number
  product: { product_type: number; length: number; sku: string | null; data_gb: number; voice_mins: number; txt_sms: number }
}

type NewInvoice = {
  orderCode: string
  orderId: string
  serviceId: string
  userId: string
  email: string
  fullName: string
  lineItems: LineItem[]
  taxCents: number
  totalCents: number
  currency: string
  issuer: Issuer
}

export async function insertInvoice(trx: Trx, invoice: NewInvoice, at: Temporal.Instant): Promise<void> {
  await trx
    .insertInto('invoices')
    .values({
      id: randomUUID(),
      order_code: invoice.orderCode,
      order_id: invoice.orderId,
      document_type: 'invoice',
      service_id: invoice.serviceId,
      user_id: invoice.userId,
      refund_ref: null,
      created_at: toDate(at),
      email: invoice.email,
      full_name: invoice.fullName,
      line_items: JSON.stringify(invoice.lineItems),
      tax_cents: invoice.taxCents,
      total_cents: invoice.totalCents,
      currency: invoice.currency,
      issuer: JSON.stringify(invoice.issuer),
    })
    .execute()
}
