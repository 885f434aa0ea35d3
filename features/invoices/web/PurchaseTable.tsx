import { useId } from 'react'
import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice, fromWire } from '#kit/contract/money.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import { type Column, Table } from '#kit/web/widgets/Table.tsx'
import type { DocumentRow } from '../invoices.contract.ts'
import s from './purchases.module.css'

const columns: Column[] = [
  { title: 'Date', isShort: true },
  { title: 'Order #', isName: true },
  { title: 'Amount Paid', isFigure: true, isExtra: true },
  { title: <span className="visually-hidden">Document</span>, isFigure: true },
]

/** A row for each document of a service. Its link is what opens it; the rest of the row is only more room to hit. */
export function PurchaseTable({ uuid, purchases }: { uuid: string; purchases: readonly DocumentRow[] }) {
  const { market } = useBootstrap()
  const id = useId()
  const rows = purchases.map(({ created, order_code, total_price, document_type }) => {
    const href = `/services/${uuid}/invoices/${order_code}/`
    const isRefund = document_type === 'credit'
    const cells = [
      formatDate(created, market.zone),
      <span key="order" id={id + order_code}>
        <span className={s.code}>{order_code}</span>
        {isRefund && (
          <span className={s.refund}>
            <Pill>Refund</Pill>
          </span>
        )}
      </span>,
      formatPrice(fromWire(total_price)),
      <Link key="view" href={href} className={s.view} aria-describedby={id + order_code}>
        VIEW<span className={s.kind}> {isRefund ? 'REFUND' : 'INVOICE'}</span>
      </Link>,
    ]
    return { key: order_code, href, cells }
  })
  return <Table caption="Purchases and refunds, newest first" columns={columns} rows={rows} />
}
