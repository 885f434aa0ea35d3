import { useSyncExternalStore } from 'react'
import { dayIn, fullDay } from '#kit/contract/days.ts'
import { localParts } from '#kit/contract/local-parts.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { serverNow } from '#kit/web/server-time.ts'

/** Date and time where the customers are, by the server's clock: whoever works here may be elsewhere. */
export function Clock({ className }: { className?: string }) {
  const { market, serverTime } = useBootstrap()
  const words = (instant: string): string => wordsOf(instant, market.zone)
  const text = useSyncExternalStore(
    everyMinute,
    () => words(serverNow().toISOString()),
    () => words(serverTime),
  )
  return <p className={className}>{text}</p>
}

function wordsOf(instant: string, zone: string): string {
  const { hour, minute } = localParts(new Date(instant), zone)
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ')
  const time = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')
  return `${fullDay(dayIn(instant, zone))}, ${time} in ${city}`
}

/** Looks twice in a minute: half a minute late is near enough. */
function everyMinute(changed: () => void): () => void {
  const timer = setInterval(changed, 30_000)
  return () => clearInterval(timer)
}
