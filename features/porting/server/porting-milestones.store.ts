import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { among, type Ids, question } from '#kit/server/read-together.ts'
import type { Milestone } from '#providers/network/network.port.ts'
import { bounded } from './porting-events.store.ts'
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

/**
 * Tolerated clock difference: a carrier's clock may run this far ahead of ours. Later milestones are ignored as not yet
 * reached.
 */
const mostAhead = { minutes: 10 }

/**
 * Stores the milestones of a transfer; each sub-state is stored once. Instants come from the network, clamped between
 * the request and now. When the network gives no instant for the current `subState`, the current time is used.
 */
export async function insertMilestones(
  trx: Trx,
  { id, created_at }: Pick<PortingRequest, 'id' | 'created_at'>,
  { told = [], subState, now }: { told?: readonly Milestone[]; subState: string | null; now: Temporal.Instant },
): Promise<void> {
  const [from, until] = [fromDate(created_at), now.add(mostAhead)]
  const known = told.flatMap((one) => {
    const at = Temporal.Instant.from(one.at)
    if (Temporal.Instant.compare(at, until) > 0) return []
    return [{ subState: bounded(one.subState) ?? '', at: latest(from, earliest(at, now)) }]
  })
  const heard = subState !== null && !known.some((one) => one.subState === subState) ? [{ subState, at: now }] : []
  const rows = [...known, ...heard]
  if (rows.length === 0) return
  await trx
    .insertInto('porting_milestones')
    .values(rows.map((row) => ({ port_id: id, sub_state: row.subState, at: toDate(row.at) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const latest = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) > 0 ? a : b)
const earliest = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? a : b)

export const milestonesAsked = (db: Db, serviceIds: Ids) =>
  question(
    db
      .selectFrom('porting_milestones')
      .innerJoin('porting_requests', 'porting_requests.id', 'porting_milestones.port_id')
      .select(['porting_milestones.port_id', 'porting_milestones.sub_state', 'porting_milestones.at'])
      .where('porting_requests.service_id', ...among(serviceIds))
      .orderBy('porting_milestones.at')
      .orderBy('porting_milestones.id'),
    { at: true },
  )

type MilestoneRow = { port_id: string; sub_state: string; at: Date }

export const milestonesFrom = (rows: MilestoneRow[]): Map<string, PortMilestone[]> =>
  new Map([...Map.groupBy(rows, (row) => row.port_id)].map(([id, its]) => [id, its.map(fromRow)]))

const fromRow = (row: MilestoneRow): PortMilestone => ({ subState: row.sub_state, at: fromDate(row.at) })

export async function milestonesOfPorts(db: Db | Trx, ids: string[]): Promise<Map<string, PortMilestone[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('porting_milestones')
    .select(['port_id', 'sub_state', 'at'])
    .where('port_id', 'in', ids)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return milestonesFrom(rows)
}

export const milestonesOfPort = async (db: Db | Trx, id: string): Promise<PortMilestone[]> =>
  (await milestonesOfPorts(db, [id])).get(id) ?? []
