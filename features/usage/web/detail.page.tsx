import { lazy, Suspense } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { formatTime } from '#kit/contract/format-moment.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { type Query, queryOptions } from '#kit/web/query/query-client.ts'
import { useIsFetching, useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { PageTitle } from '#kit/web/widgets/Layout.tsx'
import PlanAdviceNote from '#features/history/web/PlanAdviceNote.tsx'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import { lastDetailPage, readUsageDetail, type UsageDetail, usageMessages } from '../usage.contract.ts'
import { getWeekLabel } from './detail.labels.ts'
import { DetailTabs } from './DetailTabs.tsx'
import { usageSummaryQuery } from './usage.queries.ts'
import * as s from './detail.module.css'
import type { Api } from '#kit/contract/endpoint.ts'

const Forecast = lazy(() => import('./Forecast.tsx'))

/** Shows a service's usage by week (spec 2.9). The week is part of the URL, so that it survives a reload and going back. */
export default function DetailPage({ params }: PageProps) {
  const uuid = params['uuid'] ?? ''
  const api = useApi()
  const page = readPageNumber(useRawLocation().search)
  const services = useQuery(servicesQuery(api)).data
  const service = services?.[uuid]
  const isUnknownService = services !== undefined && !service
  const query = usageDetailQuery(api, uuid, page)
  const detail = useQuery({ ...query, enabled: !isUnknownService })
  if (isUnknownService || (detail.error instanceof ApiError && detail.error.status === 404)) return <NotFoundScreen />
  return (
    <>
      <Breadcrumb href={`/services/${uuid}/`} text={service?.phone_number ?? 'Back to your service'} />
      <PageTitle>Usage Detail</PageTitle>
      {service && <PlanAdviceNote uuid={uuid} compare={`/services/renew/${service.plan_short_id}/`} />}
      <div className={s.bar}>
        <WeekNavigation uuid={uuid} page={page} detail={detail.data} failed={detail.isError} />
        <RefreshButton query={query} data={detail.data} />
      </div>
      <div role="alert" className={s.alert}>
        {detail.isError && <Banner kind="warn">{usageMessages.detailUnavailable}</Banner>}
      </div>
      <ForecastSection uuid={uuid} enabled={service?.is_expired === false} />
      {/* Stays mounted while there is nothing to show, so that the selected tab is kept for every week. */}
      <div hidden={detail.isError && !detail.data}>
        <DetailTabs detail={detail.data} />
      </div>
      <p className={s.year}>
        <Link href={`/services/${uuid}/history/`}>12 months of data use and spending</Link>
      </p>
    </>
  )
}

function ForecastSection({ uuid, enabled }: { uuid: string; enabled: boolean }) {
  const { data } = useQuery({ ...usageSummaryQuery(useApi(), uuid), enabled })
  if (!data?.forecast) return null
  return (
    <div className={s.forecast}>
      <Suspense>
        <Forecast uuid={uuid} {...data.forecast} />
      </Suspense>
    </div>
  )
}

function readPageNumber(search: string): number {
  const page = new URLSearchParams(search).get('page') ?? ''
  return /^\d$/.test(page) && Number(page) <= lastDetailPage ? Number(page) : 0
}

function WeekNavigation({
  uuid,
  page,
  detail,
  failed,
}: {
  uuid: string
  page: number
  detail: UsageDetail | undefined
  failed: boolean
}) {
  const navigate = useNavigate()
  const { market } = useBootstrap()
  const goToPage = (to: number) => navigate(`/services/${uuid}/detail/${to > 0 ? `?page=${to}` : ''}`)
  return (
    <div className={s.week} role="group" aria-label="Week">
      <ArrowButton icon="back" label="Earlier week" onPress={page < lastDetailPage && (() => goToPage(page + 1))} />
      <p className={s.dates} aria-live="polite">
        <b>{getWeekLabel(page)}</b>
        {(detail || !failed) && (
          <span>
            {detail && `${formatDate(detail.start_date, market.zone)} – ${formatDate(detail.end_date, market.zone)}`}
          </span>
        )}
      </p>
      <ArrowButton icon="arrow" label="Later week" onPress={page > 0 && (() => goToPage(page - 1))} />
    </div>
  )
}

/**
 * A button that moves to the next or previous week. It stays focusable when disabled, so that the focus is not lost on
 * the first and last week.
 */
function ArrowButton({
  icon,
  label,
  onPress,
}: {
  icon: 'back' | 'arrow'
  label: string
  onPress: false | (() => void)
}) {
  return (
    <button
      type="button"
      className={s.arrow}
      aria-label={label}
      aria-disabled={!onPress}
      onClick={() => onPress && onPress()}
    >
      <Icon name={icon} />
    </button>
  )
}

function RefreshButton({ query, data }: { query: Query<UsageDetail>; data: UsageDetail | undefined }) {
  const { market } = useBootstrap()
  const client = useQueryClient()
  const isFetching = useIsFetching(query)
  return (
    <div className={s.refresh}>
      <p role="status">{isFetching ? 'Updating' : data && `Updated ${formatTime(data.read_at, market.zone)}`}</p>
      <Button kind="quiet" aria-disabled={isFetching} onClick={() => void (isFetching || client.refetchQuery(query))}>
        Refresh
      </Button>
    </div>
  )
}

/**
 * Queries one week of a service's usage; page 0 is the newest week. This query is never part of a page's loader,
 * because no page waits for the network.
 */
const usageDetailQuery = (api: Api, uuid: string, page: number) =>
  queryOptions({
    queryKey: ['usage-detail', uuid, page],
    queryFn: async () =>
      (await api.call(readUsageDetail, { params: { uuid }, ...(page > 0 && { query: { page: String(page) } }) })).data,
  })
