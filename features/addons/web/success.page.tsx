import { useEffect } from 'react'
import { useApi } from '#kit/web/api.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { LoadingScreen } from '#kit/web/screens/LoadingScreen.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { PurchaseConfirmation } from '#features/orders/web/PurchaseConfirmation.tsx'
import { usePaidOrder } from '#features/orders/web/paid-order.ts'
import { AutoRenewalOffNotice } from '#features/services/web/AutoRenewalOffNotice.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { useReloadAfterPurchase } from '#features/usage/web/use-reload-after-purchase.ts'

export default function AddOnSuccessPage({ params }: PageProps) {
  const uuid = params['uuid'] ?? ''
  const paidOrder = usePaidOrder()
  const order = paidOrder?.uuid === uuid ? paidOrder : paidOrder && null
  const navigate = useNavigate()
  const { data: services, isError } = useQuery(servicesQuery(useApi()))
  useReloadAfterPurchase(order?.uuid)
  const redirectsToService = order === null && (services ? uuid in services : isError)
  useEffect(() => {
    if (redirectsToService) navigate('/', { replace: true })
  }, [redirectsToService, navigate])

  if (services && !(uuid in services)) return <NotFoundScreen />
  if (!order) return <LoadingScreen />
  return (
    <PurchaseConfirmation
      title="Add-On Purchase Successful!"
      actions={<Button href={`/services/${uuid}/`}>Back to your service</Button>}
    >
      <p>
        Your order reference is <b translate="no">{order.orderCode}</b>
      </p>
      <p>You will receive a confirmation email in a few minutes.</p>
      <AutoRenewalOffNotice uuid={uuid} />
    </PurchaseConfirmation>
  )
}
