import { dayIn, formatLongDate, getLastDayBefore } from '#kit/contract/days.ts'
import { insertNonBreakingSpaces } from '#kit/contract/no-break-spaces.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { LoadingScreen } from '#kit/web/screens/LoadingScreen.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { useToday } from '#kit/web/use-today.ts'
import type { DeliveredOrderView } from '#features/orders/orders.contract.ts'
import { DeliveredOrderPage } from '#features/orders/web/DeliveredOrderPage.tsx'
import { PurchaseConfirmation } from '#features/orders/web/PurchaseConfirmation.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { AddOnBalance } from './AddOnBalance.tsx'
import * as s from './addons.module.css'

export default function AddOnSuccessPage({ params }: PageProps) {
  const serviceId = params['uuid'] ?? ''
  const { data: services, isPending } = useQuery(servicesQuery(useApi()))
  if (isPending) return <LoadingScreen />
  if (services && !(serviceId in services)) return <NotFoundScreen />
  return (
    <DeliveredOrderPage accepts={({ kind, uuid }) => kind === 'addon' && uuid === serviceId}>
      {(order) => <AddOnSuccess order={order} />}
    </DeliveredOrderPage>
  )
}

function AddOnSuccess({ order }: { order: DeliveredOrderView }) {
  const { market } = useBootstrap()
  const endsOn = dayIn(order.expiry_date, market.zone)
  const hasEnded = endsOn <= useToday()
  const lastDay = insertNonBreakingSpaces(formatLongDate(getLastDayBefore(endsOn)))
  return (
    <PurchaseConfirmation
      title="Add-On Purchase Successful!"
      order={order}
      lead={
        <>
          <span>{order.product.title} for</span> <span className={s.whole}>{order.phone_number}</span>{' '}
          <span>
            {hasEnded ? 'was' : 'is'} valid until {lastDay}.
          </span>
        </>
      }
    >
      {!hasEnded && <AddOnBalance order={order} />}
    </PurchaseConfirmation>
  )
}
