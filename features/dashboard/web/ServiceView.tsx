import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { formatDays } from '#kit/contract/plans.ts'
import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import { type QueryResult, useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Menu, type MenuItem } from '#kit/web/widgets/Menu.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { scheduleOf } from '#features/services/web/schedule-of.ts'
import { reloadServices } from '#features/services/web/services.queries.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { useIsUsedUp } from '#features/usage/web/ListUsage.tsx'
import { PlanUsage } from '#features/usage/web/PlanUsage.tsx'
import { usageSummaryQuery } from '#features/usage/web/usage.queries.ts'
import { later } from './later.ts'
import { PlanCycles } from './PlanCycles.tsx'
import { AutoRenewalButton } from './AutoRenewalButton.tsx'
import { ServiceRows } from './ServiceRows.tsx'
import { isTrouble, WhatNext } from './WhatNext.tsx'
import * as s from './ServiceView.module.css'
import { isFailureUnread } from './transfer-words.ts'

const PortNews = later('portNews')

const PortingBanner = ({ service }: { service: Service }) => (
  <div role="status">
    {(service.porting_request?.progress || isFailureUnread(service)) && (
      <Suspense>
        <PortNews service={service} />
      </Suspense>
    )}
  </div>
)

const AddOns = later('addOns')
const DataUsedUp = later('dataUsedUp')
const Forecast = later('forecast')
const NextPlanButton = later('nextPlanButton')
const DisableAutoRenewal = later('disableAutoRenewal')

type Props = { service: Service; heading: 'h1' | 'h2' }

export function ServiceView({ service, heading }: Props) {
  const { data: summary, updates } = useSummary(service)
  useEndOf(service, summary)
  const { uuid, is_expired: isExpired, outlook } = service
  const schedule = scheduleOf(service)
  /** `null` until it is first opened, so that its code is loaded on demand. */
  const [asking, setAsking] = useState<boolean | null>(null)
  const [changes, setChanges] = useState(0)
  const ask = () => setAsking(true)
  const change = () => setChanges(changes + 1)
  const next = (
    <WhatNext
      service={service}
      changed={changes}
      more={
        schedule && (
          <>
            <NextPlan service={service} onChange={change} />
            <AutoRenewalButton service={service} schedule={schedule} onAsk={ask} onChange={change} />
          </>
        )
      }
    />
  )

  return (
    <>
      {heading === 'h1' && <Back />}
      <Head service={service} heading={heading} onAsk={ask} />
      <PortingBanner service={service} />
      <div className={s.parts}>
        {isTrouble(outlook) && next}
        <div className={s.main}>
          <UsedUp service={service} summary={summary} />
          {!isExpired && <Usage service={service} summary={summary} />}
          <OwnAddOns uuid={uuid} addOns={summary?.addons} />
        </div>
        {!isTrouble(outlook) && next}
        <ServiceRows service={service} summary={summary} isAnswered={updates > 0} />
      </div>
      {schedule && asking !== null && (
        <Suspense>
          <DisableAutoRenewal
            open={asking}
            schedule={schedule}
            expiryDate={service.expiry_date}
            onClose={() => setAsking(false)}
            onDisabled={() => {
              setAsking(false)
              change()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

const NextPlan = (of: { service: Service; onChange: () => void }) =>
  of.service.outlook.state === 'next_plan_paid' && (
    <Suspense>
      <NextPlanButton {...of} />
    </Suspense>
  )

const Back = () => (
  <Link href="/" className={s.back}>
    <Icon name="back" />
    My Dashboard
  </Link>
)

function UsedUp({
  service: { uuid, is_expired, outlook },
  summary,
}: Pick<Props, 'service'> & { summary: UsageSummary | undefined }) {
  const isUsedUp = useIsUsedUp(uuid, !is_expired)
  if (!summary || is_expired || !isUsedUp) return null
  return (
    <Suspense>
      <DataUsedUp uuid={uuid} summary={summary} quiet={isTrouble(outlook)} />
    </Suspense>
  )
}

function Head({ service, heading: Heading, onAsk }: Pick<Props, 'service' | 'heading'> & { onAsk: () => void }) {
  const schedule = scheduleOf(service)
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

function Usage({ service, summary }: { service: Service; summary: UsageSummary | undefined }) {
  const { uuid, porting_request } = service
  const schedule = scheduleOf(service)
  return (
    <Card>
      <PlanUsage
        uuid={uuid}
        porting={porting_request !== null}
        Forecast={Forecast}
        more={
          <Link className={s.go} href={`/services/${uuid}/detail/`}>
            USAGE DETAILS
            <Icon name="arrow" />
          </Link>
        }
      />
      {schedule && <PlanCycles schedule={schedule} summary={summary} />}
    </Card>
  )
}

const OwnAddOns = ({ uuid, addOns }: { uuid: string; addOns: UsageSummary['addons'] | undefined }) =>
  addOns?.[0] && (
    <Suspense>
      <AddOns uuid={uuid} addOns={addOns} />
    </Suspense>
  )

/**
 * Reloads the list of services when the network reports that the plan has ended, because the list may be older. A
 * report about an earlier plan does not count.
 */
function useEndOf(service: Service, summary: UsageSummary | undefined): void {
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

/** The usage of the open service, requested before that of the list, because only a few requests run in parallel. */
function useSummary({ uuid }: Service): QueryResult<UsageSummary> {
  const query = usageSummaryQuery(useApi(), uuid)
  const client = useQueryClient()
  const first = useRef(query)
  useLayoutEffect(() => void client.prefetchQuery(first.current), [client])
  return useQuery(query)
}
