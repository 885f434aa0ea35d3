import { useRef } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { findCurrentSchedule } from '#features/services/web/current-schedule.ts'
import { servicesQuery, servicesUnavailableMessage } from '#features/services/web/services.queries.ts'
import MoreNumbersButton from '#features/services/web/MoreNumbersButton.tsx'
import { useShownNumbers } from '#features/services/web/use-shown-numbers.ts'
import { LinkedVoucher } from './LinkedVoucher.tsx'
import * as s from './choose.module.css'

/** The page that asks which service to renew (spec 2.8). A voucher code in the URL pays for the renewal. */
export default function ChooseServicePage({ params }: PageProps) {
  const { data, error, refetch } = useQuery(servicesQuery(useApi()))
  const code = params['code']?.trim().toUpperCase()
  const hasServices = !data || Object.keys(data).length > 0
  return (
    <>
      <Breadcrumb href="/" text="My Dashboard" />
      <PageTitle lead={hasServices && 'Which of your services would you like to renew?'}>Renew Prepay Plan</PageTitle>
      <Columns>
        {code !== undefined && <LinkedVoucher code={code} />}
        {data && <ServiceList services={Object.values(data)} code={code} />}
        {!data &&
          (error ? (
            <Unavailable what={servicesUnavailableMessage} error={error} onRetry={() => void refetch()} />
          ) : (
            <Card>
              <Skeleton lines={4} />
            </Card>
          ))}
      </Columns>
    </>
  )
}

function ServiceList({ services, code }: { services: readonly Service[]; code: string | undefined }) {
  const list = useRef<HTMLUListElement>(null)
  const shownNumbers = useShownNumbers(services)
  if (services.length === 0) {
    return (
      <Card>
        <h2>No phone numbers yet</h2>
        <p className={s.none}>You don’t have a Prepay Plan to renew yet. Activate a SIM first.</p>
        <Button href="/activate/new/">Activate New Sim</Button>
      </Card>
    )
  }
  return (
    <>
      {shownNumbers.first !== null && (
        <p>
          <Link href={shownNumbers.first}>Show the first phone numbers</Link>
        </p>
      )}
      <ul ref={list} className={s.services}>
        {shownNumbers.numbers.map((service) => (
          <li key={service.uuid}>
            <ServiceChoice service={service} code={code} />
          </li>
        ))}
        {shownNumbers.next !== null && (
          <li>
            <MoreNumbersButton next={shownNumbers.next} showMore={shownNumbers.showMore} list={list} />
          </li>
        )}
      </ul>
    </>
  )
}

function ServiceChoice({ service, code }: { service: Service; code: string | undefined }) {
  const product = findCurrentSchedule(service)?.product
  const renewalPath = `/services/renew/${service.plan_short_id}/`
  return (
    <Link href={code ? `${renewalPath}voucher/${encodeURIComponent(code)}/` : renewalPath} className={s.service}>
      <span>
        <b className={s.number}>{service.phone_number}</b>
        {service.name !== null && <span className={s.plan}>{service.name}</span>}
        {product && (
          <span className={s.plan}>
            {product.title} <span>· {product.length} days</span>
          </span>
        )}
        {service.is_expired && (
          <Pill kind="warn">
            <Icon name="warn" />
            Prepay Plan Expired
          </Pill>
        )}
      </span>
      <Icon name="arrow" />
    </Link>
  )
}
