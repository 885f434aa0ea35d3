import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { type History, getHistoryFileUrl, historyMessages } from '../history.contract.ts'
import { HistoryChart } from './HistoryChart.tsx'
import { historyQuery } from './history.queries.ts'
import { HistoryTables } from './HistoryTables.tsx'
import * as s from './history.module.css'

export default function HistoryPage({ params: { uuid = '' } }: PageProps) {
  const api = useApi()
  const { data: history, error, refetch } = useQuery(historyQuery(api, uuid))
  const services = useQuery(servicesQuery(api)).data
  if (history === null) return <NotFoundScreen />
  const isReleased = services && !services[uuid]
  return (
    <>
      {isReleased ? (
        <Breadcrumb href="/account/purchases/" text="Purchases" />
      ) : (
        <Breadcrumb href={`/services/${uuid}/`} text={services?.[uuid]?.phone_number ?? 'Back to your service'} />
      )}
      <PageTitle
        lead={history && `How much data ${history.phone_number} used in each cycle, and what you spent in each month.`}
      >
        12 months
      </PageTitle>
      {history && <HistoryContent history={history} uuid={uuid} />}
      {!history &&
        (error ? (
          <Unavailable what={historyMessages.unavailable} error={error} onRetry={() => void refetch()} />
        ) : (
          <Card>
            <Skeleton lines={10} />
          </Card>
        ))}
    </>
  )
}

const HistoryContent = ({ history, uuid }: { history: History; uuid: string }) => (
  <>
    <Card>
      <p className={s.sum}>
        <strong>{formatPriceWithCommas(decimalToCents(history.spent))}</strong> in the last 12 months
      </p>
      <HistoryChart history={history} />
      {/* The files are not pages of the portal, so the browser must load them itself. */}
      <p className={s.files}>
        <a href={getHistoryFileUrl(uuid, 'csv')} download>
          Download as CSV
        </a>
        <a href={getHistoryFileUrl(uuid, 'json')} download>
          Download as JSON
        </a>
      </p>
    </Card>
    <HistoryTables history={history} />
  </>
)
