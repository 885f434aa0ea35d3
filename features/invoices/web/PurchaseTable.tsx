import { useId } from 'react'
import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import { type Column, Table } from '#kit/web/widgets/Table.tsx'
import { type DocumentRow, paymentMethodLabel, productLabel } from '../invoices.contract.ts'
import * as s from './purchases.module.css'

const columns: Column[] = [
  { title: 'Purchase', isName: true },
  { title: 'Date', isShort: true, isExtra: true },
  { title: 'Order #', isShort: true, isExtra: true },
  { title: 'Amount Paid', isFigure: true, isExtra: true },
  { title: <span className="visually-hidden">Document</span>, isFigure: true },
]

export function PurchaseTable({ uuid, purchases }: { uuid: string; purchases: readonly DocumentRow[] }) {
  const { market } = useBootstrap()
  const id = useId()
  const rows = purchases.map((purchase) => {
    const { created, order_code, title, total_price, document_type, partial } = purchase
    const href = `/services/${uuid}/invoices/${order_code}/`
    const isRefund = document_type === 'credit'
    const date = dayOf(created, market.zone)
    const amount = formatPrice(decimalToCents(total_price))
    const cells = [
      <span key="what" id={id + order_code}>
        <span className={s.what}>
          {isRefund ? `${partial ? 'Partial refund' : 'Refund'}: ${title}` : productLabel(purchase)}
        </span>
        {/* On narrow screens the facts of the hidden columns appear here and beside the link. */}
        <span className={s.how}>
          <span className={s.onPhone}>{date}, </span>
          {isRefund ? purchase.paid_with : paymentMethodLabel(purchase)}
        </span>
        <span className={`${s.how} ${s.onPhone}`}>
          Order # <span translate="no">{order_code}</span>
        </span>
      </span>,
      date,
      order_code,
      amount,
      <span key="view" className={s.end}>
        <span className={`${s.onPhone} ${s.amount}`}>{amount}</span>
        <Link href={href} className={s.view} aria-describedby={id + order_code}>
          VIEW<span className={s.kind}> {isRefund ? 'REFUND' : 'INVOICE'}</span>
        </Link>
      </span>,
    ]
    return { key: order_code, href, cells }
  })
  return <Table caption="Purchases and refunds, newest first" columns={columns} rows={rows} />
}

const dayOf = (instant: string, zone: string): string =>
  `${new Date(instant).toLocaleDateString('en-NZ', { timeZone: zone, weekday: 'short' })} ${formatDate(instant, zone)}`
