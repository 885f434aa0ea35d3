import type { ReactNode } from 'react'
import { dayIn } from '#kit/contract/days.ts'
import { formatDataAmount, getTotalDataLabel } from '#kit/contract/plans.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useToday } from '#kit/web/use-today.ts'
import type { DeliveredOrderView } from '#features/orders/orders.contract.ts'
import { findCurrentSchedule } from '#features/services/web/current-schedule.ts'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import type { RenewablePlan } from './renewable-plan.ts'
import { getCancellationLabel } from './cancel.labels.ts'
import { useRunningPlan } from './running-plan.ts'
import { formatFullDay, formatLastDay, formatApproximateData } from './start.labels.ts'
import * as s from './renewable-plan.module.css'

export function RenewedPlanSummary({ order }: { order: DeliveredOrderView }) {
  const { market } = useBootstrap()
  const startsOn = dayIn(order.starts_on, market.zone)
  const today = useToday()
  const startsLater = startsOn > today
  const service = useQuery(servicesQuery(useApi())).data?.[order.uuid]
  const schedule = service && findCurrentSchedule(service)
  const { product } = order
  const totalDataText = getTotalDataLabel(product)
  const last = formatLastDay(dayIn(order.expiry_date, market.zone))
  const lastDayLabel = `last day ${last}`
  const dataNowLabel = product.data_gb > 0 && `${formatDataAmount(product.data_gb)} now`
  return (
    <ol className={s.legs}>
      {startsLater && service && schedule && <CurrentPlan plan={{ service, schedule }} />}
      <PlanPeriod isNow={!startsLater} title={startsLater ? `${product.title}, ${product.length} days` : product.title}>
        {startsLater
          ? [
              `Starts automatically on ${formatFullDay(startsOn)}.`,
              `${totalDataText ? `${totalDataText}, ${lastDayLabel}` : `Its last day is ${last}`}.`,
              getCancellationLabel(startsOn, { today, zone: market.zone }, order.by_voucher),
            ].join(' ')
          : `${[dataNowLabel, totalDataText, lastDayLabel].filter(Boolean).join(', ')}.`}
      </PlanPeriod>
    </ol>
  )
}

function CurrentPlan({ plan }: { plan: RenewablePlan }) {
  const runningPlan = useRunningPlan(plan)
  if (!runningPlan) return null
  const { endsOn, rest } = runningPlan
  const { left, toCome } = rest
  const dataLines = [
    left && `${formatApproximateData(left)} left`,
    toCome &&
      `${formatDataAmount(toCome.gb)} more on ${formatFullDay(toCome.on)}${toCome.times > 1 ? ' and later' : ''}`,
  ].filter(Boolean)
  return (
    <PlanPeriod isNow title={plan.schedule.product.title}>
      {['Current plan', dataLines.join(', '), `Last day ${formatLastDay(endsOn)}`].filter(Boolean).join('. ')}.
    </PlanPeriod>
  )
}

function PlanPeriod({ title, isNow, children }: { title: string; isNow: boolean; children: ReactNode }) {
  return (
    <li className={isNow ? s.now : ''}>
      <b>{title}</b>
      <span>{children}</span>
    </li>
  )
}
