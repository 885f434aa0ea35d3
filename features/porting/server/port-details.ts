import type { Db } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { findService } from '#features/services/server/services.store.ts'
import { type ListedPort, listPortsOfService } from './port-list.store.ts'
import { listPortEvents } from './porting-events.store.ts'
import { findMilestonesOfPort } from './porting-milestones.store.ts'

export type PortDetails = Awaited<ReturnType<typeof readPortDetails>>

export async function readPortDetails(db: Db, port: ListedPort) {
  const service = await findService(db, port.service_id)
  return {
    port,
    service,
    user: service && (await findUser(db, service.user_id)),
    requests: await listPortsOfService(db, port.service_id),
    events: await listPortEvents(db, port.id),
    milestones: await findMilestonesOfPort(db, port.id),
  }
}
