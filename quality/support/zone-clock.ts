import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { getZoneClock } from '#kit/server/zone-clock.ts'

export const buildPageTime = (
  serverTime: string,
  zone = 'Pacific/Auckland',
): Pick<Bootstrap, 'serverTime' | 'zoneClock'> => ({
  serverTime,
  zoneClock: getZoneClock(Temporal.Instant.from(serverTime), zone),
})
