import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { PortingRequestView } from '../services.contract.ts'

export type ServicesDeps = {
  db: Db
  clock: Clock
  /** The latest number transfer of each of these services that has one. Wired where everything is: porting leans on services. */
  portingOf(serviceIds: string[]): Promise<Map<string, PortingRequestView>>
  /** Of these services, those that renew by themselves. Wired there, too: so does auto-renewal. */
  renewingOf(serviceIds: string[]): Promise<Set<string>>
}
