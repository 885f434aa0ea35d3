import { type ComponentType, memo, type ReactNode, Suspense } from 'react'
import { getCoveredCountries } from '#kit/contract/countries.ts'
import { formatDate } from '#kit/contract/dates.ts'
import { formatTime } from '#kit/contract/format-moment.ts'
import { formatDays } from '#kit/contract/plans.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { NewTabLink } from '#kit/web/Link.tsx'
import type { Query } from '#kit/web/query/query-client.ts'
import { useIsFetching, useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { RadialGauge } from '#kit/web/widgets/RadialGauge.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { LongWait } from '#kit/web/widgets/LongWait.tsx'
import { Popup } from '#kit/web/widgets/Popup.tsx'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import { type Entitlement, type UsageSummary, usageMessages } from '../usage.contract.ts'
import { usageSummaryQuery } from './usage.queries.ts'
import {
  splitAllowance,
  computeElapsedPercent,
  getRemainingLabel,
  findMainEntitlement,
  getUsedPart,
} from './usage.labels.ts'
import * as s from './usage.module.css'

type Forecast = NonNullable<UsageSummary['forecast']> & { uuid: string }

type Props = {
  uuid: string
  porting: boolean
  Forecast: ComponentType<Forecast>
  more: TextFreeNode
}

export function PlanUsage({ uuid, porting, Forecast, more }: Props) {
  const { market } = useBootstrap()
  const query = usageSummaryQuery(useApi(), uuid)
  const { data, updates, dataUpdatedAt } = useQuery(query)
  // Show the older data that came with the page until newer data is available.
  if (!dataUpdatedAt && updates > (data ? 1 : 0))
    return <UsageUnavailable message={usageMessages.unavailable} query={query} faq={porting} more={more} />
  const entitlements = data?.plan.entitlements
  const mainEntitlement = findMainEntitlement(entitlements ?? [])
  return (
    <>
      <div className={s.usage} aria-busy={data === undefined}>
        {entitlements === null ? (
          <UsageUnavailable message={usageMessages.dataUnavailable} query={query} more={more}>
            {data && <LastKnownUsage data={data} />}
          </UsageUnavailable>
        ) : (
          <div className={s.gauge}>
            {(mainEntitlement || !data) && <UsageGauge main={mainEntitlement} />}
            <p className={s.read}>{data?.read_at && `Updated ${formatTime(data.read_at, market.zone)}`}</p>
            {more}
          </div>
        )}
        {data?.forecast && <MemoisedForecast {...data.forecast} uuid={uuid} Forecast={Forecast} />}
        <div className={s.facts}>
          <DaysRemaining data={data} />
          {(mainEntitlement || !data) && <UsedData main={mainEntitlement} />}
          {entitlements
            ?.filter((each) => each !== mainEntitlement)
            .map((each) => (
              <OtherEntitlement key={each.name} entitlement={each} />
            ))}
          <UsageFact label={`Standard calls and texts to ${getCoveredCountries(market)}`}>Unlimited</UsageFact>
        </div>
      </div>
      {/* Outside the busy element, in which screen readers announce nothing. */}
      <div role="status">{!data && <LongWait />}</div>
    </>
  )
}

/** Memoise the forecast, so that the server's HTML survives hydration as long as the text stays the same. */
const MemoisedForecast = memo(({ Forecast, ...forecast }: Forecast & Pick<Props, 'Forecast'>) => (
  <Suspense>
    <Forecast {...forecast} />
  </Suspense>
))

function UsageUnavailable({
  message,
  query,
  faq = false,
  more,
  children,
}: {
  message: string
  query: Query<UsageSummary>
  faq?: boolean
  more: TextFreeNode
  children?: ReactNode
}) {
  const { layout } = useBootstrap()
  const client = useQueryClient()
  const isFetching = useIsFetching(query)
  return (
    <div className={s.unavailable}>
      <Icon name="info" />
      <p role="status">{message}</p>
      {children}
      {faq && (
        <p className="small">
          Your Number Transfer may be the reason. <NewTabLink href={layout.faq_url}>Read the FAQ</NewTabLink>
        </p>
      )}
      <Button kind="quiet" onClick={() => void (isFetching || client.refetchQuery(query))}>
        {isFetching ? 'Refreshing…' : 'Refresh'}
      </Button>
      {more}
    </div>
  )
}

function LastKnownUsage({ data: { plan } }: { data: UsageSummary }) {
  const { market } = useBootstrap()
  const lastKnownRemaining = plan.last_known && findMainEntitlement(plan.last_known.entitlements)
  return (
    <p className="small">
      The network isn’t responding, but your plan works as usual.
      {plan.last_known && lastKnownRemaining && (
        <span>
          {' '}
          You had <b>{getRemainingLabel(lastKnownRemaining)}</b> at {formatTime(plan.last_known.read_at, market.zone)}.
        </span>
      )}
    </p>
  )
}

function UsageGauge({ main }: { main: Entitlement | undefined }) {
  const remainingParts = main && splitAllowance(main.remainingAllowance)
  const totalParts = main && splitAllowance(main.totalAllowance)
  const maxAmountLength = Math.max(remainingParts?.amount.length ?? 0, totalParts?.amount.length ?? 0)
  return (
    <RadialGauge
      value={main?.remainingAllowance.amount ?? 0}
      max={main?.totalAllowance.amount ?? 0}
      label={`${main?.name ?? 'Data'} left`}
      valueText={main ? getRemainingLabel(main) : 'Loading'}
    >
      <span className={`${s.left} ${maxAmountLength > 6 ? s.longer : maxAmountLength > 4 ? s.long : ''}`}>
        {remainingParts ? remainingParts.amount : <i className={s.waiting} />}
      </span>
      <span className={s.of}>
        {totalParts ? (
          `${remainingParts?.unit} left of ${totalParts.amount} ${totalParts.unit}`
        ) : (
          <i className={s.waiting} />
        )}
      </span>
    </RadialGauge>
  )
}

function explainDaysRemaining({ renewal_date: end, plan }: UsageSummary, zone: string): string {
  if (!plan.is_final_cycle)
    return `Days left in this ${plan.renewal_length}-day data cycle, counting today. Unused data doesn’t carry over to the next cycle.`
  const lastDay = formatDate({ epochMilliseconds: Date.parse(end) - 1 }, zone)
  return (
    `Days left on your Prepay Plan, counting today. It ends at midnight on ${appendZone(formatDate(end, zone), zone)}, ` +
    `so your last day is ${lastDay}.${plan.cycles === 1 ? '' : ' This is its last data cycle.'}`
  )
}

function DaysRemaining({ data }: { data: UsageSummary | undefined }) {
  const { market } = useBootstrap()
  const cycleLength = data?.plan.renewal_length ?? 0
  const renewalDate = data && appendZone(formatDate(data.renewal_date, market.zone), market.zone)
  const isFinalCycle = data?.plan.is_final_cycle
  const isOnlyCycle = data?.plan.cycles === 1
  return (
    <UsageFact
      label={
        <>
          <span>Days remaining</span>
          {data && <Popup label="What does ‘days remaining’ mean?">{explainDaysRemaining(data, market.zone)}</Popup>}
        </>
      }
      bar={
        <Progress
          kind="sun"
          value={data ? computeElapsedPercent(data.days_remaining, cycleLength) : 0}
          max={100}
          label="Days used in this data cycle"
          valueText={data ? `${cycleLength - data.days_remaining} of ${formatDays(cycleLength)}` : 'Loading'}
        />
      }
      note={
        data ? (
          isFinalCycle ? (
            isOnlyCycle ? (
              'Your data lasts as long as your Prepay Plan.'
            ) : (
              'This is the last data cycle of your Prepay Plan.'
            )
          ) : (
            `Data renews at midnight on ${renewalDate}`
          )
        ) : (
          <i className={s.waiting} />
        )
      }
    >
      {data ? (
        <>
          {formatDays(data.days_remaining)}{' '}
          <small>
            of {cycleLength}, until {isFinalCycle ? 'your plan ends' : 'new data'}
          </small>
        </>
      ) : (
        <i className={s.waiting} />
      )}
    </UsageFact>
  )
}

function UsedData({ main }: { main: Entitlement | undefined }) {
  const used = main && getUsedPart(main)
  const name = main?.name ?? 'Data'
  return (
    <UsageFact
      label={`${name} used`}
      bar={<Progress value={used?.percent ?? 0} max={100} label={`${name} used`} valueText={used?.text ?? 'Loading'} />}
    >
      {used ? <EmphasisedAmount of={used.text} /> : <i className={s.waiting} />}
    </UsageFact>
  )
}

function EmphasisedAmount({ of }: { of: string }) {
  const [part, ...rest] = of.split(' of ')
  return (
    <>
      <span>{part}</span> <small>of {rest.join(' of ')}</small>
    </>
  )
}

function OtherEntitlement({ entitlement }: { entitlement: Entitlement }) {
  const { name, remainingAllowance, totalAllowance } = entitlement
  return (
    <UsageFact
      label={`${name} left`}
      bar={
        <Progress
          value={remainingAllowance.amount}
          max={totalAllowance.amount}
          label={`${name} left`}
          valueText={getRemainingLabel(entitlement)}
        />
      }
    >
      {getRemainingLabel(entitlement)}
    </UsageFact>
  )
}

function UsageFact({
  label,
  children,
  bar,
  note,
}: {
  label: ReactNode
  children: ReactNode
  bar?: ReactNode
  note?: ReactNode
}) {
  return (
    <div className={s.fact}>
      <div className={s.label}>{label}</div>
      <div className={s.value}>{children}</div>
      {bar}
      {note && <p className={s.note}>{note}</p>}
    </div>
  )
}
