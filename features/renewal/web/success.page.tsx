import { useEffect, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { dayIn } from '#kit/contract/days.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { LoadingScreen } from '#kit/web/screens/LoadingScreen.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { useToday } from '#kit/web/use-today.ts'
import type { DeliveredOrderView } from '#features/orders/orders.contract.ts'
import { orderQuery } from '#features/orders/web/orders.queries.ts'
import { PurchaseConfirmation } from '#features/orders/web/PurchaseConfirmation.tsx'
import { AutoRenewalOffNotice } from '#features/services/web/AutoRenewalOffNotice.tsx'
import { useReloadAfterPurchase } from '#features/usage/web/use-reload-after-purchase.ts'
import { formatLastDay } from './start.labels.ts'
import { PaymentSummary } from './PaymentSummary.tsx'
import { RenewedPlanSummary } from './RenewedPlanSummary.tsx'
import * as s from './renewable-plan.module.css'

export default function RenewalSuccessPage() {
  const { search } = useRawLocation()
  // Keep the order code from the first render, because the URL changes while the next page is still loading.
  const [orderCode] = useState(() => new URLSearchParams(search).get('order') ?? '')
  const { data: order, error, refetch } = useQuery(orderQuery(useApi(), orderCode))
  const navigate = useNavigate()
  useReloadAfterPurchase(order?.uuid)
  const isMissing = orderCode === '' || (error instanceof ApiError && error.status === 404)
  useEffect(() => {
    if (isMissing) navigate('/', { replace: true })
  }, [isMissing, navigate])

  if (order) return <RenewalSuccess order={order} />
  if (error && !isMissing)
    return <Unavailable what="Your order can’t be loaded right now." error={error} onRetry={() => void refetch()} />
  return <LoadingScreen />
}

function RenewalSuccess({ order }: { order: DeliveredOrderView }) {
  const { market } = useBootstrap()
  const endsOn = dayIn(order.expiry_date, market.zone)
  const hasPlanEnded = endsOn <= useToday()
  return (
    <PurchaseConfirmation
      title="Renewal Successful!"
      actions={
        <>
          <Button href={`/services/${order.uuid}/`}>Back to {order.phone_number}</Button>
          <Button kind="quiet" href={`/services/${order.uuid}/invoices/${order.order_code}/`}>
            View invoice
          </Button>
        </>
      }
    >
      <p className={s.until}>
        <span className={s.whole}>{order.phone_number}</span> {hasPlanEnded ? 'was' : 'is'} paid for until{' '}
        {formatLastDay(endsOn)}.
      </p>
      {!hasPlanEnded && (
        <Card className={s.card}>
          <RenewedPlanSummary order={order} />
        </Card>
      )}
      <Card className={s.card}>
        <PaymentSummary order={order} />
      </Card>
      {order.instead_of && <p>{order.instead_of}</p>}
      <p>You will receive a confirmation email in a few minutes.</p>
      <AutoRenewalOffNotice uuid={order.uuid} />
    </PurchaseConfirmation>
  )
}
