import { type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { Link } from '#kit/web/Link.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { scheduleOf } from '#features/services/web/schedule-of.ts'
import { ListUsage } from '#features/usage/web/ListUsage.tsx'
import { useWelcome } from './use-welcome.ts'
import s from './ServiceNav.module.css'

/** Every service of the customer, and the way to another. `open` is the uuid of the one beside the list. */
export function ServiceNav({
  services,
  open,
  heading: Heading,
}: {
  services: readonly Service[]
  open: string | null
  heading: 'h1' | 'h2'
}) {
  const id = useId()
  const list = useShown(open)
  return (
    <nav aria-labelledby={id} className={s.nav}>
      <Heading id={id} className={s.welcome}>
        {useWelcome()}
      </Heading>
      <ul ref={list} className={s.list}>
        {services.map((service) => (
          <li key={service.uuid}>
            <Entry service={service} isOpen={service.uuid === open} />
          </li>
        ))}
        <li>
          <Link href="/activate/new/" className={s.activate}>
            <Icon name="plus" />
            Activate New Sim
          </Link>
        </li>
      </ul>
      <Button kind="quiet" wide href="/account/contact-details/">
        ACCOUNT SETTINGS
      </Button>
    </nav>
  )
}

/** Where the list scrolls by itself, the open service is in sight. */
function useShown(open: string | null): RefObject<HTMLUListElement | null> {
  const ref = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    const list = ref.current
    const entry = list?.querySelector('[aria-current]')
    // Not `scrollIntoView`, which would move the page along.
    if (list && entry)
      list.scrollTop +=
        entry.getBoundingClientRect().top -
        list.getBoundingClientRect().top -
        (list.clientHeight - entry.clientHeight) / 2
  }, [open])
  return ref
}

function Entry({ service, isOpen }: { service: Service; isOpen: boolean }) {
  const product = scheduleOf(service)?.product
  return (
    <Link href={`/services/${service.uuid}/`} className={s.entry} aria-current={isOpen ? 'page' : undefined}>
      <span className={s.number}>{service.phone_number}</span>
      {service.is_expired ? (
        <span className={s.expired}>
          <Icon name="warn" />
          Prepay Plan Expired
        </span>
      ) : (
        <>
          <span className={s.plan}>{product?.title}</span>
          <span className={s.plan}>{product?.length} day Prepay Plan</span>
          <ListUsage uuid={service.uuid} />
        </>
      )}
    </Link>
  )
}
