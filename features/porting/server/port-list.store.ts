import type { Db } from '#kit/server/db.ts'
import { toDate } from '#kit/server/clock.ts'
import type { PortingStatus } from '../porting.states.ts'
import type { PortingRequest } from './porting.store.ts'

export type ListedPort = PortingRequest & { donor_name: string }

const listedPortsQuery = (db: Db) =>
  db
    .selectFrom('porting_requests')
    .innerJoin('porting_providers', 'porting_providers.id', 'porting_requests.provider_id')
    .selectAll('porting_requests')
    .select('porting_providers.name as donor_name')

type PortPage = { statuses: readonly PortingStatus[]; since?: Temporal.Instant; after?: PortingRequest; limit: number }

/**
 * Lists the number transfers with these statuses, newest first, starting after the given transfer. Scans the index
 * `porting_requests_by_status` once per status.
 */
export async function listPorts(db: Db, { statuses, since, after, limit }: PortPage): Promise<ListedPort[]> {
  const listedPorts: ListedPort[] = []
  for (const status of statuses) {
    let query = listedPortsQuery(db).where('status', '=', status)
    if (since) query = query.where('created_at', '>=', toDate(since))
    if (after)
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('porting_requests.created_at', 'porting_requests.id'), '<', tuple(after.created_at, after.id)),
      )
    listedPorts.push(
      ...(await query
        .orderBy('porting_requests.created_at', 'desc')
        .orderBy('porting_requests.id', 'desc')
        .limit(limit)
        .execute()),
    )
  }
  const compareNewestFirst = (firstPort: ListedPort, secondPort: ListedPort): number =>
    secondPort.created_at.getTime() - firstPort.created_at.getTime() || (firstPort.id < secondPort.id ? 1 : -1)
  return listedPorts.toSorted(compareNewestFirst).slice(0, limit)
}

export const findListedPort = (db: Db, externalId: string): Promise<ListedPort | undefined> =>
  listedPortsQuery(db).where('external_id', '=', externalId).executeTakeFirst()

export const listPortsOfNumber = (db: Db, msisdn: string): Promise<ListedPort[]> =>
  listedPortsQuery(db)
    .where('msisdn', '=', msisdn)
    .orderBy('created_at', 'desc')
    .orderBy('porting_requests.id')
    .limit(20)
    .execute()

export const listPortsOfService = (db: Db, serviceId: string): Promise<ListedPort[]> =>
  listedPortsQuery(db)
    .where('service_id', '=', serviceId)
    .orderBy('created_at', 'desc')
    .orderBy('porting_requests.id')
    .limit(50)
    .execute()
