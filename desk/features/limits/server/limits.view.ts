import { sql } from 'kysely'
import { type Clock, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { ApprovalRequest } from '#desk/features/approvals/server/approvals.store.ts'
import { type LimitsChange, readLimits } from './limits.store.ts'

export type ListedLimits = Awaited<ReturnType<typeof listLimits>>[number]

export const listLimits = (db: Db) =>
  db
    .selectFrom('refund_limits')
    .leftJoin('staff as changer', 'changer.id', 'refund_limits.changed_by')
    .leftJoin('staff as approver', 'approver.id', 'refund_limits.approved_by')
    .select(['role', 'order_cents', 'day_cents', 'changed_at'])
    .select(['changer.name as changed_by', 'approver.name as approved_by'])
    .execute()

export async function sumUnapprovedRefunds(db: Db, clock: Clock): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('audit_events')
    .select(['staff_id', sql<string | null>`sum((details ->> 'cents')::integer)`.as('cents')])
    .where('staff_id', 'is not', null)
    .where('event', '=', 'refund_requested')
    .where('at', '>', toDate(clock.now().subtract({ hours: 24 })))
    .where(sql<boolean>`details ->> 'approved_by' is null`)
    .groupBy('staff_id')
    .execute()
  return new Map(rows.map(({ staff_id: id, cents }) => [id ?? '', Number(cents ?? 0)]))
}

export type RequestedLimits = LimitsChange & { kind: 'limits'; isStale: boolean }

export async function describeLimits(
  db: Db,
  approvals: ApprovalRequest<'limits'>[],
): Promise<[string, RequestedLimits][]> {
  if (approvals.length === 0) return []
  const limits = await readLimits(db)
  return approvals.map(({ id, payload, decision }) => {
    const { orderCents, dayCents } = limits[payload.role]
    const isUnchanged = orderCents === payload.from.orderCents && dayCents === payload.from.dayCents
    return [id, { kind: 'limits', ...payload, isStale: decision === null && !isUnchanged }]
  })
}
