import { useSyncExternalStore } from 'react'
import { dayIn } from '../contract/days.ts'
import { useBootstrap } from './bootstrap.tsx'
import { getServerTime } from './server-time.ts'

/**
 * Returns today's date as `YYYY-MM-DD` in the market's zone, by the server's clock. During hydration, returns the day on which the page was
 * rendered.
 */
export function useToday(): string {
  const { market, serverTime } = useBootstrap()
  return useSyncExternalStore(
    subscribeToNothing,
    () => dayIn(getServerTime().toISOString(), market.zone),
    () => dayIn(serverTime, market.zone),
  )
}

const subscribeToNothing = () => () => {}
