import type { ColumnType } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import {
  type RefundAllowance,
  defaultLimits,
  type RefundingRole,
  type RefundLimits,
} from '#desk/features/orders/server/refund-limits.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    refund_limits: {
      role: ColumnType<RefundingRole, never, never>
      order_cents: number
      day_cents: number
      changed_at: Date | null
      changed_by: string | null
      approved_by: string | null
    }
  }
}

export async function readLimits(db: Db | Trx): Promise<RefundLimits> {
  const rows = await db.selectFrom('refund_limits').select(['role', 'order_cents', 'day_cents']).execute()
  const entries = rows.map(({ role, order_cents: orderCents, day_cents: dayCents }) => [role, { orderCents, dayCents }])
  return { ...defaultLimits, ...Object.fromEntries(entries) }
}

export type LimitsChange = { role: RefundingRole; from: RefundAllowance; to: RefundAllowance }

/** Writes new refund limits. Returns false if the current limits differ from those in `from`. */
export async function writeLimits(
  trx: Trx,
  { role, from, to }: LimitsChange,
  by: { id: string; approvedBy: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('refund_limits')
    .set({
      order_cents: to.orderCents,
      day_cents: to.dayCents,
      changed_at: toDate(realNow()),
      changed_by: by.id,
      approved_by: by.approvedBy,
    })
    .where('role', '=', role)
    .where('order_cents', '=', from.orderCents)
    .where('day_cents', '=', from.dayCents)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
