import { type MouseEvent, useId } from 'react'
import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice, fromWire } from '#kit/contract/money.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import type { Purchase } from '../invoices.contract.ts'
import s from './purchases.module.css'

/** A row for each document of a service. Its link is what opens it; the rest of the row is only more room to hit. */
export function PurchaseTable({ uuid, purchases }: { uuid: string; purchases: readonly Purchase[] }) {
  return (
    <table className={s.table}>
      <caption className="visually-hidden">Purchases and refunds, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Order #</th>
          <th scope="col" className={s.amount}>Amount Paid</th>
          <th scope="col"><span className="visually-hidden">Document</span></th>
        </tr>
      </thead>
      <tbody>
        {purchases.map((purchase) => <Row key={purchase.order_code} purchase={purchase} href={`/services/${uuid}/invoices/${purchase.order_code}/`} />)}
      </tbody>
    </table>
  )
}

function Row({ purchase: { created, order_code, total_price, document_type }, href }: { purchase: Purchase; href: string }) {
  const { market } = useBootstrap()
  const navigate = useNavigate()
  const code = useId()
  const isRefund = document_type === 'credit'
  return (
    <tr onClick={(event) => isMeantForRow(event) && navigate(href)}>
      <td className={s.date}>{formatDate(created, market.zone)}</td>
      <th scope="row" id={code}>
        {order_code}
        {isRefund && <span className={s.refund}><Pill>Refund</Pill></span>}
      </th>
      <td className={s.amount}>{formatPrice(fromWire(total_price))}</td>
      <td><Link href={href} aria-describedby={code}>VIEW<span className={s.kind}> {isRefund ? 'REFUND' : 'INVOICE'}</span></Link></td>
    </tr>
  )
}

/** The link sees to itself, the browser to keys that are held; and whoever has just marked an order number wants to copy it. */
function isMeantForRow({ target, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  const isMarking = window.getSelection()?.isCollapsed === false
  return !isMarking && !altKey && !ctrlKey && !metaKey && !shiftKey && !(target as Element).closest('a')
}
