import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { type MenuItem, Menu } from '#kit/web/widgets/Menu.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { scheduleOf } from '#features/services/web/schedule-of.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { AddOns } from '#features/usage/web/AddOns.tsx'
import { usageSummaryQuery } from '#features/usage/web/usage.queries.ts'
import { CurrentPlan, type Notice } from './CurrentPlan.tsx'
import { ExpiredPlan } from './ExpiredPlan.tsx'
import { NumberSettings } from './NumberSettings.tsx'
import { PortingBanner } from './PortingBanner.tsx'
import s from './ServiceView.module.css'

// Few ever open it.
const DisableAutoRenewal = lazy(() => import('#features/auto-renewal/web/DisableAutoRenewal.tsx'))

/** One service: its number, its plan, its add-ons. */
export function ServiceView({ service, heading: Heading }: { service: Service; heading: 'h1' | 'h2' }) {
  const summary = useSummary(service)
  const isExpired = service.is_expired || hasEndedSince(service, summary)
  const { uuid, phone_number } = service
  const schedule = scheduleOf(service)
  /** Null until the question has been asked for: then its code comes. */
  const [asking, setAsking] = useState<boolean | null>(null)
  const [notice, setNotice] = useState<Notice>(null)
  const invoices = { text: 'Invoices', url: `/services/${uuid}/invoices/` }
  const items: MenuItem[] = schedule?.auto_recharge_enabled
    ? [{ text: 'Disable Auto Renewal', onSelect: () => setAsking(true) }, invoices]
    : [invoices]

  return (
    <>
      <Link href="/" className={s.back}>
        <Icon name="back" />
        My Dashboard
      </Link>
      <PortingBanner service={service} />
      <Card>
        <div className={s.head}>
          <div>
            <p className={s.number}>{phone_number}</p>
            <Heading className={s.title}>{schedule?.product.title}</Heading>
          </div>
          <Menu label={`More about ${phone_number}`} items={items} />
        </div>
        {isExpired ? (
          <ExpiredPlan service={service} />
        ) : (
          <CurrentPlan service={service} notice={notice} onNotice={setNotice} />
        )}
      </Card>
      {schedule && asking !== null && (
        <Suspense>
          <DisableAutoRenewal
            open={asking}
            schedule={schedule}
            expiryDate={service.expiry_date}
            onClose={() => setAsking(false)}
            onDisabled={() => {
              setAsking(false)
              setNotice('disabled')
            }}
          />
        </Suspense>
      )}
      {(!isExpired || (summary?.addons?.length ?? 0) > 0) && <AddOnsSection uuid={uuid} isExpired={isExpired} />}
      <NumberSettings service={service} />
    </>
  )
}

/** Of an expired service: what is left of add-ons, and none to buy. */
function AddOnsSection({ uuid, isExpired }: { uuid: string; isExpired: boolean }) {
  return (
    <section className={s.addOns} aria-labelledby={`add-ons-${uuid}`}>
      <h2 id={`add-ons-${uuid}`}>Add-Ons</h2>
      {!isExpired && (
        <Button kind="quiet" href={`/services/${uuid}/addons/`}>
          PURCHASE ADD-ONS
        </Button>
      )}
      <div>
        <AddOns uuid={uuid} />
      </div>
    </section>
  )
}

/** The list may have been asked for while the plan still ran. What was said of an earlier plan does not count. */
function hasEndedSince(service: Service, summary: UsageSummary | undefined): boolean {
  return (
    summary !== undefined && summary.is_expired && Date.parse(summary.expiry_date) === Date.parse(service.expiry_date)
  )
}

/** What the network says of the open service, which is asked for before the entries of the list: only so many go at a time. */
function useSummary({ uuid }: Service): UsageSummary | undefined {
  const query = usageSummaryQuery(useApi(), uuid)
  const client = useQueryClient()
  const first = useRef(query)
  useLayoutEffect(() => void client.prefetchQuery(first.current), [client])
  return useQuery(query).data
}
