import type { ReactNode } from 'react'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { FanProgress } from '#kit/web/widgets/FanProgress.tsx'
import { AutoRenewalOffNotice } from '#features/services/web/AutoRenewalOffNotice.tsx'
import type { DeliveredOrderView } from '../orders.contract.ts'
import { PaymentSummary } from './PaymentSummary.tsx'
import * as s from './PurchaseConfirmation.module.css'

type Props = {
  title: string
  order: DeliveredOrderView
  lead: ReactNode
  /** Describes what the customer has now; falsy once the purchased product has ended. */
  children?: TextFreeNode
}

export function PurchaseConfirmation({ title, order, lead, children }: Props) {
  const { uuid, phone_number, order_code, instead_of } = order
  return (
    <div className={s.done}>
      <FanProgress part={1} />
      <h1>{title}</h1>
      <div className={s.text}>
        <p className={s.lead}>{lead}</p>
        {children && (
          <Card className={s.card}>
            <h2 className={s.heading}>What you have now</h2>
            {children}
          </Card>
        )}
        <Card className={s.card}>
          <PaymentSummary order={order} />
        </Card>
        {instead_of && <p>{instead_of}</p>}
        <p>You will receive a confirmation email in a few minutes.</p>
        <AutoRenewalOffNotice uuid={uuid} />
      </div>
      <div className={s.actions}>
        <Button href={`/services/${uuid}/`}>Back to {phone_number}</Button>
        <Button kind="quiet" href={`/services/${uuid}/invoices/${order_code}/`}>
          View invoice
        </Button>
      </div>
    </div>
  )
}
