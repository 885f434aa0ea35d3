import { useSyncExternalStore } from 'react'
import { dayIn, formatLongDate } from '#kit/contract/days.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { formatTime24 } from '#kit/web/desk/timeline-days.ts'
import { getServerTime } from '#kit/web/server-time.ts'

/** Shows the date and time in the market's time zone according to the server's clock. Staff may work in a different time zone. */
export function Clock({ className }: { className?: string }) {
  const { market, serverTime } = useBootstrap()
  const label = (instant: string): string => clockLabel(instant, market.zone)
  const text = useSyncExternalStore(
    subscribeToClock,
    () => label(getServerTime().toISOString()),
    () => label(serverTime),
  )
  return <p className={className}>{text}</p>
}

function clockLabel(instant: string, zone: string): string {
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ')
  return `${formatLongDate(dayIn(instant, zone))}, ${formatTime24(instant, zone)} in ${city}`
}

/** Updates twice a minute, so the displayed time is never more than half a minute behind. */
function subscribeToClock(changed: () => void): () => void {
  const timer = setInterval(changed, 30_000)
  return () => clearInterval(timer)
}
