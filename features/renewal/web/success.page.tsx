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
import type { Bought } from '#features/orders/orders.contract.ts'
import { orderQuery } from '#features/orders/web/orders.queries.ts'
import { PurchaseDone } from '#features/orders/web/PurchaseDone.tsx'
import { AutoRenewalOff } from '#features/services/web/AutoRenewalOff.tsx'
import { useAfterPurchase } from '#features/usage/web/use-after-purchase.ts'
import { lastDayInWords } from './start-words.ts'
import { PaidFor } from './PaidFor.tsx'
import { WhatYouHave } from './WhatYouHave.tsx'
import * as s from './renewed.module.css'

export default function RenewalSuccessPage() {
  const { search } = useRawLocation()
  // Keeps the initial code, because the address changes while the next page is still loading.
  const [code] = useState(() => new URLSearchParams(search).get('order') ?? '')
  const { data: order, error, refetch } = useQuery(orderQuery(useApi(), code))
  const navigate = useNavigate()
  useAfterPurchase(order?.uuid)
  const isNone = code === '' || (error instanceof ApiError && error.status === 404)
  useEffect(() => {
    if (isNone) navigate('/', { replace: true })
  }, [isNone, navigate])

  if (order) return <Renewed order={order} />
  if (error && !isNone)
    return <Unavailable what="Your order can’t be loaded right now." error={error} onRetry={() => void refetch()} />
  return <LoadingScreen />
}

function Renewed({ order }: { order: Bought }) {
  const { market } = useBootstrap()
  const ends = dayIn(order.expiry_date, market.zone)
  const isOver = ends <= useToday()
  return (
    <PurchaseDone
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
        <span className={s.whole}>{order.phone_number}</span> {isOver ? 'was' : 'is'} paid for until{' '}
        {lastDayInWords(ends)}.
      </p>
      {!isOver && (
        <Card className={s.card}>
          <WhatYouHave order={order} />
        </Card>
      )}
      <Card className={s.card}>
        <PaidFor order={order} />
      </Card>
      {order.instead_of && <p>{order.instead_of}</p>}
      <p>You will receive a confirmation email in a few minutes.</p>
      <AutoRenewalOff uuid={order.uuid} />
    </PurchaseDone>
  )
}
