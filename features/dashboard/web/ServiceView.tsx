import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { formatDays } from '#kit/contract/plans.ts'
import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import { type QueryResult, useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { renderSentenceCase } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Menu, type MenuItem } from '#kit/web/widgets/Menu.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { findCurrentSchedule } from '#features/services/web/current-schedule.ts'
import { reloadServices } from '#features/services/web/services.queries.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { useIsDataUsedUp } from '#features/usage/web/CompactUsage.tsx'
import { PlanUsage } from '#features/usage/web/PlanUsage.tsx'
import { usageSummaryQuery } from '#features/usage/web/usage.queries.ts'
import { createLazyComponent } from './create-lazy-component.ts'
import { PlanCycles } from './PlanCycles.tsx'
import { AutoRenewalButton } from './AutoRenewalButton.tsx'
import { ServiceRows } from './ServiceRows.tsx'
import { needsAttention, UpcomingEvent } from './UpcomingEvent.tsx'
import * as s from './ServiceView.module.css'
import { isFailureUnacknowledged } from './transfer.labels.ts'

const TransferNotice = createLazyComponent('portNews')

const PortingBanner = ({ service }: { service: Service }) => (
  <div role="status">
    {(service.porting_request?.progress || isFailureUnacknowledged(service)) && (
      <Suspense>
        <TransferNotice service={service} />
      </Suspense>
    )}
  </div>
)

const AddOns = createLazyComponent('addOns')
const DataUsedUp = createLazyComponent('dataUsedUp')
const Forecast = createLazyComponent('forecast')
const NextPlanButton = createLazyComponent('nextPlanButton')
const DisableAutoRenewal = createLazyComponent('disableAutoRenewal')

type Props = { service: Service; heading: 'h1' | 'h2' }

export function ServiceView({ service, heading }: Props) {
  const { data: summary, updates } = useUsageSummary(service)
  useReloadAtPlanEnd(service, summary)
  const { uuid, is_expired: isExpired, outlook } = service
  const schedule = findCurrentSchedule(service)
  /** Whether the confirmation dialog is open. `null` means that it has never been opened, so its code has not been loaded yet. */
  const [isDisableDialogOpen, setDisableDialogOpen] = useState<boolean | null>(null)
  const [changeCount, setChangeCount] = useState(0)
  const openDialog = () => setDisableDialogOpen(true)
  const handleChange = () => setChangeCount(changeCount + 1)
  const upcomingEvent = (
    <UpcomingEvent
      service={service}
      changed={changeCount}
      more={
        schedule && (
          <>
            <NextPlanActions service={service} onChange={handleChange} />
            <AutoRenewalButton service={service} schedule={schedule} onAsk={openDialog} onChange={handleChange} />
          </>
        )
      }
    />
  )

  return (
    <>
      {heading === 'h1' && <BackLink />}
      <ServiceHeader service={service} heading={heading} onAsk={openDialog} />
      <PortingBanner service={service} />
      <div className={s.parts}>
        {needsAttention(outlook) && upcomingEvent}
        <div className={s.main}>
          <UsedUpNotice service={service} summary={summary} />
          {!isExpired && <UsagePanel service={service} summary={summary} />}
          <ServiceAddOns uuid={uuid} addOns={summary?.addons} />
        </div>
        {!needsAttention(outlook) && upcomingEvent}
        <ServiceRows service={service} summary={summary} isAnswered={updates > 0} />
      </div>
      {schedule && isDisableDialogOpen !== null && (
        <Suspense>
          <DisableAutoRenewal
            open={isDisableDialogOpen}
            schedule={schedule}
            expiryDate={service.expiry_date}
            onClose={() => setDisableDialogOpen(false)}
            onDisabled={() => {
              setDisableDialogOpen(false)
              handleChange()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

const NextPlanActions = (of: { service: Service; onChange: () => void }) =>
  of.service.outlook.state === 'next_plan_paid' && (
    <Suspense>
      <NextPlanButton {...of} />
    </Suspense>
  )

const BackLink = () => (
  <Link href="/" className={s.back}>
    <Icon name="back" />
    My Dashboard
  </Link>
)

function UsedUpNotice({
  service: { uuid, is_expired, outlook },
  summary,
}: Pick<Props, 'service'> & { summary: UsageSummary | undefined }) {
  const isUsedUp = useIsDataUsedUp(uuid, !is_expired)
  if (!summary || is_expired || !isUsedUp) return null
  return (
    <Suspense>
      <DataUsedUp uuid={uuid} summary={summary} quiet={needsAttention(outlook)} />
    </Suspense>
  )
}

function ServiceHeader({
  service,
  heading: Heading,
  onAsk,
}: Pick<Props, 'service' | 'heading'> & { onAsk: () => void }) {
  const schedule = findCurrentSchedule(service)
  const invoices = { text: 'Invoices', url: `/services/${service.uuid}/invoices/` }
  const items: MenuItem[] = schedule?.auto_recharge_enabled
    ? [{ text: 'Disable Auto Renewal', onSelect: onAsk }, invoices]
    : [invoices]
  return (
    <div className={s.head}>
      <div>
        <Heading className={s.title}>{service.phone_number}</Heading>
        {service.name !== null && <p className={s.plan}>{service.name}</p>}
        <p className={s.plan}>{schedule && `${schedule.product.title}, ${formatDays(schedule.product.length)}`}</p>
      </div>
      <Menu label={`More about ${service.phone_number}`} items={items} />
    </div>
  )
}

function UsagePanel({ service, summary }: { service: Service; summary: UsageSummary | undefined }) {
  const { uuid, porting_request } = service
  const schedule = findCurrentSchedule(service)
  return (
    <Card>
      <PlanUsage
        uuid={uuid}
        porting={porting_request !== null}
        Forecast={Forecast}
        more={
          <Link className={s.go} href={`/services/${uuid}/detail/`}>
            {renderSentenceCase('USAGE DETAILS')}
            <Icon name="arrow" />
          </Link>
        }
      />
      {schedule && <PlanCycles schedule={schedule} summary={summary} />}
    </Card>
  )
}

const ServiceAddOns = ({ uuid, addOns }: { uuid: string; addOns: UsageSummary['addons'] | undefined }) =>
  addOns?.[0] && (
    <Suspense>
      <AddOns uuid={uuid} addOns={addOns} />
    </Suspense>
  )

/**
 * Reloads the services when the network reports that the plan has expired but the list still shows it as active. It
 * ignores reports about an earlier plan.
 */
function useReloadAtPlanEnd(service: Service, summary: UsageSummary | undefined): void {
  const api = useApi()
  const client = useQueryClient()
  const hasEnded =
    !service.is_expired &&
    summary?.is_expired === true &&
    Date.parse(summary.expiry_date) === Date.parse(service.expiry_date)
  const reload = useEffectEvent(() => void reloadServices(api, client))
  useEffect(() => {
    if (hasEnded) reload()
  }, [hasEnded])
}

/** Requests the open service's usage before the usage of the listed services, because only a few requests run in parallel. */
function useUsageSummary({ uuid }: Service): QueryResult<UsageSummary> {
  const query = usageSummaryQuery(useApi(), uuid)
  const client = useQueryClient()
  const initialQuery = useRef(query)
  useLayoutEffect(() => void client.prefetchQuery(initialQuery.current), [client])
  return useQuery(query)
}
