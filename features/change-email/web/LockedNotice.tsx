import { formatDay } from '#kit/contract/format-moment.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import * as s from './change-email.module.css'

export function LockedNotice({ until }: { until: string }) {
  const { market, serverTime } = useBootstrap()
  const day = formatDay(until, { zone: market.zone, now: serverTime })
  return (
    <p className={s.text}>
      You can start again from <b>{day}</b>.
    </p>
  )
}
