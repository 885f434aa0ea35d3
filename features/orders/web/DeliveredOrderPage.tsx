import { useEffect, useState } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { LoadingScreen } from '#kit/web/screens/LoadingScreen.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { useReloadAfterPurchase } from '#features/usage/web/use-reload-after-purchase.ts'
import type { DeliveredOrderView } from '../orders.contract.ts'
import { orderQuery, readOrderCode } from './orders.queries.ts'

type Props = {
  /** Whether the page can show this order. For any other order, the customer is redirected to the dashboard. */
  accepts: (order: DeliveredOrderView) => boolean
  children: (order: DeliveredOrderView) => TextFreeNode
}

/** Loads the order that the URL names, and redirects to the dashboard if the customer has no such order. */
export function DeliveredOrderPage({ accepts, children }: Props) {
  const { search } = useRawLocation()
  // Keep the order code from the first render, because the URL changes while the next page is still loading.
  const [orderCode] = useState(() => readOrderCode(search))
  const { data, error, refetch } = useQuery(orderQuery(useApi(), orderCode))
  const order = data && accepts(data) ? data : undefined
  const navigate = useNavigate()
  useReloadAfterPurchase(order?.uuid)
  const isMissing = orderCode === '' || (data ? order === undefined : error instanceof ApiError && error.status === 404)
  useEffect(() => {
    if (isMissing) navigate('/', { replace: true })
  }, [isMissing, navigate])

  if (order) return children(order)
  if (error && !isMissing)
    return <Unavailable what="Your order can’t be loaded right now." error={error} onRetry={() => void refetch()} />
  return <LoadingScreen />
}
