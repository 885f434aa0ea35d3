import type { Db } from '#kit/server/db.ts'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import { portingStatus } from '../porting.states.ts'
import { listLatestPorts } from './porting.store.ts'

/** What a service tells of its latest number transfer, by service; one that never had any is missing. */
export async function presentPorting(db: Db, serviceIds: string[]): Promise<Map<string, PortingRequestView>> {
  const ports = await listLatestPorts(db, serviceIds)
  return new Map(
    ports.map((port) => [
      port.service_id,
      {
        status: portingStatus[port.status],
        failure_acknowledged_at: port.failure_acknowledged_at?.toISOString() ?? null,
        msisdn: port.msisdn,
      },
    ]),
  )
}
