import { useEffect, useState } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { serverNow } from '#kit/web/server-time.ts'

const minuteMs = 60_000

/** Whole minutes until an instant, the one that runs included; 0 once it has come. */
export const minutesUntil = (end: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(end) - now) / minuteMs))

/** How long until the number of minutes is another one, in milliseconds; null when it stays 0. */
export function msUntilNextMinute(end: string, now: number): number | null {
  const left = Date.parse(end) - now
  if (left <= 0) return null
  return left % minuteMs || minuteMs
}

/**
 * Minutes left until an instant, by the server's clock; changes by the minute. A page that was out of sight says at once how many
 * are left when it comes back: its timers slept.
 */
export function useMinutesLeft(end: string): number {
  const { serverTime } = useBootstrap()
  // While the script takes over, as the page was made.
  const [now, setNow] = useState(() => Date.parse(serverTime))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function tick(): void {
      clearTimeout(timer)
      const at = serverNow().getTime()
      setNow(at)
      const wait = msUntilNextMinute(end, at)
      // A moment more, so that the minute is surely another.
      if (wait !== null) timer = setTimeout(tick, wait + 20)
    }
    tick()
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [end])
  return minutesUntil(end, now)
}
