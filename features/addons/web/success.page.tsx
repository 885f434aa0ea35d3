import { useApi } from '#kit/web/api.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { PurchaseDone } from '#features/orders/web/PurchaseDone.tsx'
import { usePaidOrder } from '#features/orders/web/paid-order.ts'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { useAfterPurchase } from '#features/usage/web/use-after-purchase.ts'

/** An add-on that was paid for. The server's markup knows nothing of the order, which is in the history's state. */
export default function AddOnSuccessPage({ params }: PageProps) {
  const uuid = params['uuid'] ?? ''
  const order = usePaidOrder()
  const services = useQuery(servicesQuery(useApi())).data
  useAfterPurchase(order?.uuid)
  if (services && !services[uuid]) return <NotFoundScreen />
  return (
    <PurchaseDone
      title="Add-On Purchase Successful!"
      actions={<Button href={`/services/${uuid}/`}>Back to your service</Button>}
    >
      {order && (
        <p>
          Your order reference is <b>{order.orderCode}</b>
        </p>
      )}
      <p>You will receive a confirmation email in a few minutes.</p>
    </PurchaseDone>
  )
}
