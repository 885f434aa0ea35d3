import { useEffect } from 'react'
import { useNavigate } from '#kit/web/router/location.ts'
import { LoadingScreen } from '#kit/web/screens/LoadingScreen.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { PurchaseDone } from '#features/orders/web/PurchaseDone.tsx'
import { usePaidOrder } from '#features/orders/web/paid-order.ts'
import { useAfterPurchase } from '#features/usage/web/use-after-purchase.ts'

/** A renewal that was paid for. The order is in the history's state, so the server's markup knows nothing of it. */
export default function RenewalSuccessPage() {
  const order = usePaidOrder()
  const navigate = useNavigate()
  useAfterPurchase(order?.uuid)
  useEffect(() => {
    if (order === null) navigate('/', { replace: true })
  }, [order, navigate])

  if (!order) return <LoadingScreen />
  return (
    <PurchaseDone title="Renewal Successful!" actions={<Button href="/">My Dashboard</Button>}>
      <p>
        Your order reference is <b>{order.orderCode}</b>
      </p>
      <p>You will receive a confirmation email in a few minutes.</p>
    </PurchaseDone>
  )
}
