import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import type { DocumentRow } from '../invoices.contract.ts'
import { readCursor, purchasesQuery } from './invoices.queries.ts'
import { PurchaseList } from './PurchaseList.tsx'
import * as s from './purchases.module.css'

/** The page that lists a service's purchases and refunds (spec 2.10). */
export default function PurchasesPage({ params: { uuid = '' } }: PageProps) {
  const cursor = readCursor(useRawLocation().search)
  const { data: purchases, error, refetch } = useQuery(purchasesQuery(useApi(), uuid, cursor))
  if (purchases === null) return <NotFoundScreen />
  return (
    <>
      <BackLink uuid={uuid} />
      <PageTitle>Purchase History</PageTitle>
      {error && !purchases ? (
        <Unavailable what="Your purchases can’t be loaded right now." error={error} onRetry={() => void refetch()} />
      ) : (
        <Card inset={false}>
          <PurchasesContent key={cursor} uuid={uuid} purchases={purchases} before={cursor} />
        </Card>
      )}
    </>
  )
}

type Props = { uuid: string; purchases: readonly DocumentRow[] | undefined; before: string }

function PurchasesContent({ uuid, purchases, before }: Props) {
  if (!purchases)
    return (
      <div className={s.other}>
        <Skeleton lines={6} />
      </div>
    )
  if (purchases.length > 0)
    return (
      <>
        {before ? <LatestPurchasesLink uuid={uuid} /> : <YearTotal purchases={purchases} />}
        {/* The key resets the added pages after a new purchase, because a new purchase shifts the pages. */}
        <PurchaseList key={purchases.at(-1)?.order_code} uuid={uuid} first={purchases} />
      </>
    )
  if (before) return <LatestPurchasesLink uuid={uuid} />
  return (
    <p className={s.other}>
      You haven’t bought anything for this number yet. Invoices for its plans and Add-Ons will appear here.
    </p>
  )
}

const LatestPurchasesLink = ({ uuid }: { uuid: string }) => (
  <p className={s.sum}>
    <Link href={`/services/${uuid}/invoices/`}>Show the latest purchases</Link>
  </p>
)

function YearTotal({ purchases }: { purchases: readonly DocumentRow[] }) {
  const { serverTime } = useBootstrap()
  const paidCents = sumPaidInLastYear(purchases, serverTime)
  if (paidCents === null) return null
  return (
    <p className={s.sum}>
      <strong>{formatPrice(paidCents)}</strong> in the last 12 months
    </p>
  )
}

/** Links to the service's page, or to the account's list of numbers if the service has been released and no longer has a page. */
function BackLink({ uuid }: { uuid: string }) {
  const services = useQuery(servicesQuery(useApi())).data
  const service = services?.[uuid]
  return services && !service ? (
    <Breadcrumb href="/account/purchases/" text="Purchases" />
  ) : (
    <Breadcrumb href={`/services/${uuid}/`} text={service?.phone_number ?? 'Back to your service'} />
  )
}

/**
 * Returns the cents paid in the twelve months before `now` (an ISO 8601 instant), minus refunds. Returns `null` if nothing
 * was bought in that time, or if `purchases`, sorted newest first, does not go back that far.
 */
function sumPaidInLastYear(purchases: readonly DocumentRow[], now: string): number | null {
  const since = new Date(now)
  since.setUTCFullYear(since.getUTCFullYear() - 1)
  const oldestPurchase = purchases.at(-1)
  if (oldestPurchase?.is_oldest === false && Date.parse(oldestPurchase.created) > since.getTime()) return null
  const recentPurchases = purchases.filter(({ created }) => Date.parse(created) > since.getTime())
  if (recentPurchases.length === 0) return null
  return recentPurchases.reduce((sum, { total_price }) => sum + decimalToCents(total_price), 0)
}
