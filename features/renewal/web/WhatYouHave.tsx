import type { ReactNode } from 'react'
import { dayIn } from '#kit/contract/days.ts'
import { formatData, inAll } from '#kit/contract/plans.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useToday } from '#kit/web/use-today.ts'
import type { Bought } from '#features/orders/orders.contract.ts'
import { scheduleOf } from '#features/services/web/schedule-of.ts'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import type { Renewed } from './renewed.ts'
import { cancelInWords } from './cancel-words.ts'
import { useRunningPlan } from './running-plan.ts'
import { dayInWords, lastDayInWords, roughData, shortDayInWords } from './start-words.ts'
import * as s from './renewed.module.css'

export function WhatYouHave({ order }: { order: Bought }) {
  const { market } = useBootstrap()
  const starts = dayIn(order.starts_on, market.zone)
  const today = useToday()
  const isLater = starts > today
  const service = useQuery(servicesQuery(useApi())).data?.[order.uuid]
  const schedule = service && scheduleOf(service)
  const { product } = order
  const all = inAll(product)
  const last = lastDayInWords(dayIn(order.expiry_date, market.zone))
  const lastDay = `last day ${last}`
  return (
    <>
      <h2 className={s.heading}>What you have now</h2>
      <ol className={s.legs}>
        {isLater && service && schedule && <Running plan={{ service, schedule }} />}
        <Leg isNow={!isLater} title={isLater ? `${product.title}, ${product.length} days` : product.title}>
          {isLater
            ? [
                `Starts automatically on ${dayInWords(starts)}.`,
                `${all ? `${all}, ${lastDay}` : `Its last day is ${last}`}.`,
                cancelInWords(starts, today, order.by_voucher),
              ].join(' ')
            : `${[product.data_gb > 0 && `${formatData(product.data_gb)} now`, all, lastDay].filter(Boolean).join(', ')}.`}
        </Leg>
      </ol>
    </>
  )
}

function Running({ plan }: { plan: Renewed }) {
  const running = useRunningPlan(plan)
  if (!running) return null
  const { endsOn, rest } = running
  const { left, toCome } = rest
  const data = [
    left && `${roughData(left)} left`,
    toCome && `${formatData(toCome.gb)} more on ${shortDayInWords(toCome.on)}${toCome.times > 1 ? ' and later' : ''}`,
  ].filter(Boolean)
  return (
    <Leg isNow title={plan.schedule.product.title}>
      {['Current plan', data.join(', '), `Last day ${lastDayInWords(endsOn)}`].filter(Boolean).join('. ')}.
    </Leg>
  )
}

function Leg({ title, isNow, children }: { title: string; isNow: boolean; children: ReactNode }) {
  return (
    <li className={isNow ? s.now : ''}>
      <b>{title}</b>
      <span>{children}</span>
    </li>
  )
}
