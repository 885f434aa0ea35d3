import { cardName } from '#kit/contract/card-types.ts'
import { formatPrice, fromWire } from '#kit/contract/money.ts'
import type { Bought } from '#features/orders/orders.contract.ts'
import * as s from './renewed.module.css'

export function PaidFor({ order: { order_code, total_price, tax, card, by_voucher } }: { order: Bought }) {
  const source = by_voucher ? 'With a voucher' : card ? cardName(card.card_type, card.last_four) : 'By card'
  return (
    <div className={s.paid}>
      <p>
        <span>Paid</span>
        <span>
          <b>{formatPrice(fromWire(total_price))}</b>
          <small>
            {source}
            {!by_voucher && <span>, incl. {formatPrice(fromWire(tax))} GST</span>}
          </small>
        </span>
      </p>
      <p>
        Your order reference is <b translate="no">{order_code}</b>
      </p>
    </div>
  )
}
