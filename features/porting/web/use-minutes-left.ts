import { useEffect, useState } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { getServerTime } from '#kit/web/server-time.ts'

const minuteMs = 60_000

export const minutesUntil = (end: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(end) - now) / minuteMs))

export function msUntilNextMinute(end: string, now: number): number | null {
  const msLeft = Date.parse(end) - now
  if (msLeft <= 0) return null
  return msLeft % minuteMs || minuteMs
}

/**
 * Minutes left until an instant, by the server's clock, updated every minute. Browsers pause timers in a hidden page,
 * so the value is also updated when the page becomes visible.
 */
export function useMinutesLeft(end: string): number {
  const { serverTime } = useBootstrap()
  // Use the server's time for the first render, so that hydration matches the server's HTML.
  const [now, setNow] = useState(() => Date.parse(serverTime))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function tick(): void {
      clearTimeout(timer)
      const at = getServerTime().getTime()
      setNow(at)
      const delayMs = msUntilNextMinute(end, at)
      // The extra 20 ms ensure that the next minute has begun when the timer fires.
      if (delayMs !== null) timer = setTimeout(tick, delayMs + 20)
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
