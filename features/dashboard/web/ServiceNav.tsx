import { type RefObject, Suspense, useId, useLayoutEffect, useRef } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { findCurrentSchedule } from '#features/services/web/current-schedule.ts'
import { CompactUsage, useIsDataUsedUp } from '#features/usage/web/CompactUsage.tsx'
import type { ShownNumbers } from '#features/services/web/use-shown-numbers.ts'
import { createLazyComponent } from './create-lazy-component.ts'
import { formatDomesticNumber, isFailureUnacknowledged } from './transfer.labels.ts'
import { useGreeting } from './use-greeting.ts'
import * as s from './ServiceNav.module.css'

const MoreNumbers = createLazyComponent('moreNumbers')

export function ServiceNav({
  shown,
  open,
  heading: Heading,
}: {
  shown: ShownNumbers<Service>
  open: string | null
  heading: 'h1' | 'h2'
}) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  useScrollIntoView(list, open)
  return (
    <nav aria-labelledby={id} className={s.nav}>
      <Heading id={id} className={s.welcome}>
        {useGreeting()}
      </Heading>
      <AttentionCount numbers={shown.numbers} isAll={shown.first === null && shown.next === null} />
      {shown.first !== null && (
        <p>
          <Link href={shown.first}>Show the first phone numbers</Link>
        </p>
      )}
      <ul ref={list} className={s.list}>
        {shown.numbers.map((service) => (
          <li key={service.uuid}>
            <ServiceEntry service={service} isOpen={service.uuid === open} />
          </li>
        ))}
        {shown.next !== null && (
          <li>
            <Suspense>
              <MoreNumbers next={shown.next} showMore={shown.showMore} list={list} />
            </Suspense>
          </li>
        )}
      </ul>
      {/* Outside the scrolling list, so that it is visible however many numbers there are. */}
      <Link href="/activate/new/" className={s.activate}>
        <Icon name="plus" />
        Activate New Sim
      </Link>
      <Button kind="plain" wide href="/account/contact-details/">
        ACCOUNT SETTINGS
      </Button>
    </nav>
  )
}

function useScrollIntoView(ref: RefObject<HTMLUListElement | null>, open: string | null): void {
  useLayoutEffect(() => {
    const list = ref.current
    const entry = list?.querySelector('[aria-current]')
    // Set the list's `scrollTop`, because `scrollIntoView` would also scroll the page.
    if (list && entry)
      list.scrollTop +=
        entry.getBoundingClientRect().top -
        list.getBoundingClientRect().top -
        (list.clientHeight - entry.clientHeight) / 2
  }, [ref, open])
}

function AttentionCount({ numbers, isAll }: { numbers: readonly Service[]; isAll: boolean }) {
  const count = numbers.filter((service) => chooseBadge(service)).length
  if (numbers.length < 2 || count === 0) return null
  return (
    <p className={s.needing}>
      {count} of {isAll ? 'your' : 'these'} {numbers.length} numbers {count === 1 ? 'needs' : 'need'} attention
    </p>
  )
}

function ServiceEntry({ service, isOpen }: { service: Service; isOpen: boolean }) {
  const product = findCurrentSchedule(service)?.product
  const isUsedUp = useIsDataUsedUp(service.uuid, !service.is_expired)
  const badge = chooseBadge(service) ?? (isUsedUp ? usedUpBadge : null)
  const number = (
    <span className={s.number}>
      {service.phone_number}
      {service.name !== null && <span className={s.name}>{service.name}</span>}
    </span>
  )
  return (
    <Link href={`/services/${service.uuid}/`} className={s.entry} aria-current={isOpen ? 'page' : undefined}>
      {service.is_expired ? (
        <>
          <span className={s.first}>
            {number}
            <span className={s.expired}>
              <Icon name="warn" />
              Prepay Plan Expired
            </span>
          </span>
          <span className={s.line}>{getStatusLine(service)}</span>
        </>
      ) : (
        <CompactUsage uuid={service.uuid} line={getStatusLine(service)}>
          <span className={s.first}>
            {number}
            {badge && <Badge {...badge} />}
          </span>
          <span className={s.plan}>{product?.title}</span>
          <span className={s.plan}>{product?.length} day Prepay Plan</span>
        </CompactUsage>
      )}
    </Link>
  )
}

type BadgeView = NonNullable<Service['outlook']['badge']>

/** The badge that asks a number's owner to confirm the transfer: in New Zealand by replying to a text, in Australia by entering a code. */
const createReplyBadge = (msisdn: string): BadgeView => ({
  text: msisdn.startsWith('+61') ? 'Enter code' : 'Reply YES',
  tone: 'soon',
})

const usedUpBadge: BadgeView = { text: 'Data used up', tone: 'soon' }

/** A failed transfer takes priority over every other badge until the customer acknowledges the failure. */
const chooseBadge = (service: Service): BadgeView | null =>
  isFailureUnacknowledged(service)
    ? { text: service.porting_request?.reason === 'cancelled' ? 'Transfer cancelled' : 'Transfer failed', tone: 'bad' }
    : (service.outlook.badge ??
      (service.porting_request?.progress?.step === 'reply' ? createReplyBadge(service.porting_request.msisdn) : null))

const getStatusLine = (service: Service): string =>
  isFailureUnacknowledged(service) && service.porting_request
    ? `${formatDomesticNumber(service.porting_request.msisdn)} didn’t move`
    : service.outlook.line

const Badge = ({ text, tone }: BadgeView) => <span className={`${s.badge} ${tone === 'bad' ? s.bad : ''}`}>{text}</span>
