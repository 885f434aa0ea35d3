import { formatPrice } from '#kit/contract/money.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import type { DocumentRow } from '../invoices.contract.ts'
import { purchasesQuery } from './invoices.queries.ts'
import { paidInLastYear } from './last-year.ts'
import { PurchaseTable } from './PurchaseTable.tsx'
import s from './purchases.module.css'

/** Everything that was bought for a service, and what was refunded of it (spec 2.10). */
export default function PurchasesPage({ params: { uuid = '' } }: PageProps) {
  const { data: purchases, error, refetch } = useQuery(purchasesQuery(useApi(), uuid))
  if (purchases === null) return <NotFoundScreen />
  return (
    <>
      <WayBack uuid={uuid} />
      <PageTitle>Purchase History</PageTitle>
      {error && !purchases ? (
        <Unavailable what="Your purchases can’t be loaded right now." error={error} onRetry={() => void refetch()} />
      ) : (
        <Card inset={false}>
          <Purchases uuid={uuid} purchases={purchases} />
        </Card>
      )}
    </>
  )
}

function Purchases({ uuid, purchases }: { uuid: string; purchases: readonly DocumentRow[] | undefined }) {
  if (!purchases)
    return (
      <div className={s.other}>
        <Skeleton lines={6} />
      </div>
    )
  if (purchases.length > 0)
    return (
      <>
        <LastYear purchases={purchases} />
        <PurchaseTable uuid={uuid} purchases={purchases} />
      </>
    )
  return (
    <p className={s.other}>
      Nothing has been bought for this number yet. The invoice of each plan and add-on will be here.
    </p>
  )
}

function LastYear({ purchases }: { purchases: readonly DocumentRow[] }) {
  const { serverTime } = useBootstrap()
  const paid = paidInLastYear(purchases, serverTime)
  if (paid === null) return null
  return (
    <p className={s.sum}>
      <strong>{formatPrice(paid)}</strong> in the last 12 months
    </p>
  )
}

/** A service that was released has no page to go back to: its number is in the account's list. */
function WayBack({ uuid }: { uuid: string }) {
  const services = useQuery(servicesQuery(useApi())).data
  const service = services?.[uuid]
  return services && !service ? (
    <Breadcrumb href="/account/purchases/" text="Purchases" />
  ) : (
    <Breadcrumb href={`/services/${uuid}/`} text={service?.phone_number ?? 'Back to your service'} />
  )
}
