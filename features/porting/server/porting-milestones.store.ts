import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart } from '#kit/server/combined-query.ts'
import type { Milestone } from '#providers/network/network.port.ts'
import { truncateText } from './porting-events.store.ts'
import type { PortingRequest } from './porting.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    porting_milestones: {
      id?: never
      port_id: string
      sub_state: string
      at: Date
    }
  }
}

export type PortMilestone = { subState: string; at: Temporal.Instant }

/** How far a carrier's clock may run ahead of ours. Milestones further in the future are ignored. */
const maxClockDifference = { minutes: 10 }

/**
 * Stores a transfer's milestones, one per sub-state, with the network's times. A time before the request or after now
 * is replaced by the nearer of the two. Without a time for the current `subState`, stores the current time.
 */
export async function insertMilestones(
  trx: Trx,
  { id, created_at }: Pick<PortingRequest, 'id' | 'created_at'>,
  { told = [], subState, now }: { told?: readonly Milestone[]; subState: string | null; now: Temporal.Instant },
): Promise<void> {
  const [earliestAllowed, latestAllowed] = [fromDate(created_at), now.add(maxClockDifference)]
  const reportedMilestones = told.flatMap((milestone) => {
    const at = Temporal.Instant.from(milestone.at)
    if (Temporal.Instant.compare(at, latestAllowed) > 0) return []
    return [{ subState: truncateText(milestone.subState) ?? '', at: maxInstant(earliestAllowed, minInstant(at, now)) }]
  })
  const currentMilestone =
    subState !== null && !reportedMilestones.some((one) => one.subState === subState) ? [{ subState, at: now }] : []
  const rows = [...reportedMilestones, ...currentMilestone]
  if (rows.length === 0) return
  await trx
    .insertInto('porting_milestones')
    .values(rows.map((row) => ({ port_id: id, sub_state: row.subState, at: toDate(row.at) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const maxInstant = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) > 0 ? a : b)
const minInstant = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? a : b)

export const milestonesQueryPart = (db: Db, serviceIds: Ids) =>
  queryPart(
    db
      .selectFrom('porting_milestones')
      .innerJoin('porting_requests', 'porting_requests.id', 'porting_milestones.port_id')
      .select(['porting_milestones.port_id', 'porting_milestones.sub_state', 'porting_milestones.at'])
      .where('porting_requests.service_id', ...inIds(serviceIds))
      .orderBy('porting_milestones.at')
      .orderBy('porting_milestones.id'),
    { at: true },
  )

type MilestoneRow = { port_id: string; sub_state: string; at: Date }

export const milestonesByPort = (rows: MilestoneRow[]): Map<string, PortMilestone[]> =>
  new Map([...Map.groupBy(rows, (row) => row.port_id)].map(([id, portRows]) => [id, portRows.map(toMilestone)]))

const toMilestone = (row: MilestoneRow): PortMilestone => ({ subState: row.sub_state, at: fromDate(row.at) })

export async function findMilestonesOfPorts(db: Db | Trx, ids: string[]): Promise<Map<string, PortMilestone[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('porting_milestones')
    .select(['port_id', 'sub_state', 'at'])
    .where('port_id', 'in', ids)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return milestonesByPort(rows)
}

export const findMilestonesOfPort = async (db: Db | Trx, id: string): Promise<PortMilestone[]> =>
  (await findMilestonesOfPorts(db, [id])).get(id) ?? []
