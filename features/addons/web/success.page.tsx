import { useEffect } from 'react'
import { useApi } from '#kit/web/api.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { LoadingScreen } from '#kit/web/screens/LoadingScreen.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { PurchaseDone } from '#features/orders/web/PurchaseDone.tsx'
import { usePaidOrder } from '#features/orders/web/paid-order.ts'
import { AutoRenewalOff } from '#features/services/web/AutoRenewalOff.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { useAfterPurchase } from '#features/usage/web/use-after-purchase.ts'

export default function AddOnSuccessPage({ params }: PageProps) {
  const uuid = params['uuid'] ?? ''
  const paid = usePaidOrder()
  const order = paid?.uuid === uuid ? paid : paid && null
  const navigate = useNavigate()
  const { data: services, isError } = useQuery(servicesQuery(useApi()))
  useAfterPurchase(order?.uuid)
  const leadsOn = order === null && (services ? uuid in services : isError)
  useEffect(() => {
    if (leadsOn) navigate('/', { replace: true })
  }, [leadsOn, navigate])

  if (services && !(uuid in services)) return <NotFoundScreen />
  if (!order) return <LoadingScreen />
  return (
    <PurchaseDone
      title="Add-On Purchase Successful!"
      actions={<Button href={`/services/${uuid}/`}>Back to your service</Button>}
    >
      <p>
        Your order reference is <b translate="no">{order.orderCode}</b>
      </p>
      <p>You will receive a confirmation email in a few minutes.</p>
      <AutoRenewalOff uuid={uuid} />
    </PurchaseDone>
  )
}
