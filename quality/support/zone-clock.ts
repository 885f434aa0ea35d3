import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { zoneClockAround } from '#kit/server/zone-clock.ts'

export const pageTime = (
  serverTime: string,
  zone = 'Pacific/Auckland',
): Pick<Bootstrap, 'serverTime' | 'zoneClock'> => ({
  serverTime,
  zoneClock: zoneClockAround(Temporal.Instant.from(serverTime), zone),
})
