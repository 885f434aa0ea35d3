import type { Market } from '#kit/contract/bootstrap.ts'
import { gstOf } from '#kit/contract/money.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { insertInvoice, type Issuer } from './invoices.store.ts'

type Sale = {
  id: string
  order_code: string
  service_id: string
  user_id: string
  email: string
  full_name: string
  product: Product
  amount_cents: number
  currency: string
}

/** Writes the tax invoice of an order: immutable, one for an order. Paid with a voucher it comes to nothing. */
export async function writeInvoice(trx: Trx, { clock, market, issuer }: { clock: Clock; market: Market; issuer: Issuer }, sale: Sale): Promise<void> {
  const { product } = sale
  await insertInvoice(
    trx,
    {
      orderCode: sale.order_code,
      orderId: sale.id,
      serviceId: sale.service_id,
      userId: sale.user_id,
      email: sale.email,
      fullName: sale.full_name,
      lineItems: [
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
      taxCents: gstOf(sale.amount_cents, market.taxPart),
      totalCents: sale.amount_cents,
      currency: sale.currency,
      issuer,
    },
    clock.now(),
  )
}
