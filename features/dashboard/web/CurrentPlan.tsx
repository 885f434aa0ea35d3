import { useEffect, useRef } from 'react'
import { formatDate } from '#kit/contract/dates.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Link } from '#kit/web/Link.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Pill } from '#kit/web/widgets/Pill.tsx'
import type { Schedule, Service } from '#features/services/services.contract.ts'
import { scheduleOf } from '#features/services/web/schedule-of.ts'
import { EnableAutoRenewal } from '#features/auto-renewal/web/EnableAutoRenewal.tsx'
import { PlanUsage } from '#features/usage/web/PlanUsage.tsx'
import s from './ServiceView.module.css'

type Props = {
  service: Service
  /** What has just been done about auto-renewal. */
  notice: Notice
  onNotice: (notice: Notice) => void
}

export type Notice = 'enabled' | 'disabled' | null

/** A plan that runs: until when, what is left of it, and what can be done about it. */
export function CurrentPlan({ service, notice, onNotice }: Props) {
  const { market } = useBootstrap()
  const schedule = scheduleOf(service)
  const renews = schedule?.auto_recharge_enabled ?? false
  const date = formatDate(service.expiry_date, market.zone)
  return (
    <>
      <p className={s.until}>
        <Pill kind={renews ? 'good' : 'brand'}>
          <Icon name={renews ? 'renew' : 'clock'} />
          Plan {renews ? 'renews on' : 'expires on'} {date}
        </Pill>
      </p>
      {schedule?.next_plan && <NextPlan {...schedule.next_plan} />}
      <PlanUsage
        uuid={service.uuid}
        porting={service.porting_request !== null}
        more={
          <Link className={s.go} href={`/services/${service.uuid}/detail/`}>
            USAGE DETAILS
            <Icon name="arrow" />
          </Link>
        }
      />
      <div className={s.actions}>
        <Button href={`/services/renew/${service.plan_short_id}/`}>RENEW OR BUY PREPAY PLAN</Button>
        {schedule && !renews && (
          <EnableAutoRenewal schedule={schedule} onTry={() => onNotice(null)} onEnabled={() => onNotice('enabled')} />
        )}
      </div>
      <Done
        text={
          notice &&
          (notice === 'enabled'
            ? `Auto Renewal is on: your Prepay Plan renews on ${date}.`
            : `Auto Renewal is off: your Prepay Plan expires on ${date}.`)
        }
      />
    </>
  )
}

/** What is paid for already and begins when this plan ends. */
function NextPlan({ title, length, starts_on }: NonNullable<Schedule['next_plan']>) {
  const { market } = useBootstrap()
  return (
    <Banner kind="good" icon="renew">
      Your next Prepay Plan is paid for: {title}, {length} days from{' '}
      <span className={s.whole}>{formatDate(starts_on, market.zone)}</span>.
    </Banner>
  )
}

/** Takes the focus when it comes: the button that was pressed has gone. */
function Done({ text }: { text: string | null }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text) ref.current?.focus({ preventScroll: true })
  }, [text])
  return (
    <div ref={ref} role="status" tabIndex={-1} className={s.notice}>
      {text && <Banner kind="good">{text}</Banner>}
    </div>
  )
}
