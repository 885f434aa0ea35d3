import { dayIn } from '#kit/contract/days.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useToday } from '#kit/web/use-today.ts'
import type { DeliveredOrderView } from '#features/orders/orders.contract.ts'
import { DeliveredOrderPage } from '#features/orders/web/DeliveredOrderPage.tsx'
import { PurchaseConfirmation } from '#features/orders/web/PurchaseConfirmation.tsx'
import { formatLastDay } from './start.labels.ts'
import { RenewedPlanSummary } from './RenewedPlanSummary.tsx'
import * as s from './renewable-plan.module.css'

export default function RenewalSuccessPage() {
  return (
    <DeliveredOrderPage accepts={({ kind }) => kind === 'recharge'}>
      {(order) => <RenewalSuccess order={order} />}
    </DeliveredOrderPage>
  )
}

function RenewalSuccess({ order }: { order: DeliveredOrderView }) {
  const { market } = useBootstrap()
  const endsOn = dayIn(order.expiry_date, market.zone)
  const hasPlanEnded = endsOn <= useToday()
  return (
    <PurchaseConfirmation
      title="Renewal Successful!"
      order={order}
      lead={
        <>
          <span className={s.whole}>{order.phone_number}</span>{' '}
          <span>
            {hasPlanEnded ? 'was' : 'is'} paid for until {formatLastDay(endsOn)}.
          </span>
        </>
      }
    >
      {!hasPlanEnded && <RenewedPlanSummary order={order} />}
    </PurchaseConfirmation>
  )
}
