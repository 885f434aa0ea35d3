import { formatCardName } from '#kit/contract/card-types.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import type { DeliveredOrderView } from '../orders.contract.ts'
import * as s from './PaymentSummary.module.css'

export function PaymentSummary({
  order: { order_code, total_price, tax, card, by_voucher },
}: {
  order: DeliveredOrderView
}) {
  const source = by_voucher ? 'With a voucher' : card ? formatCardName(card.card_type, card.last_four) : 'By card'
  return (
    <div className={s.paid}>
      <p>
        <span>Paid</span>
        <span>
          <b>{formatPrice(decimalToCents(total_price))}</b>
          <small>
            {source}
            {!by_voucher && <span>, incl. {formatPrice(decimalToCents(tax))} GST</span>}
          </small>
        </span>
      </p>
      <p>
        Your order reference is <b translate="no">{order_code}</b>
      </p>
    </div>
  )
}
