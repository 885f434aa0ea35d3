import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { type BatchSelection, batchCondition } from '#kit/server/process-in-batches.ts'
import type { DueStep } from './auto-renewal.times.ts'

/**
 * Locks the services whose steps of this kind are most overdue, until the transaction ends. Skips services that another
 * transaction has locked.
 */
export async function lockDueServices(
  trx: Trx,
  { now, step }: { now: Temporal.Instant; step: DueStep['step'] },
  which: BatchSelection,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select services.id from auto_renewals join services on services.id = auto_renewals.service_id
    where step = ${step} and due_at <= ${toDate(now)} and ${batchCondition(which, sql.ref('services.id'))}
    order by due_at, service_id limit ${which.most} for no key update of services skip locked`.execute(trx)
  return rows.map(({ id }) => id)
}

export async function resetAutoRenewals(trx: Trx, stepsByService: ReadonlyMap<string, DueStep | null>): Promise<void> {
  const steps = [...stepsByService.values()]
  await sql`
    update auto_renewals set step = next.step, due_at = next.due_at, attempts = next.attempts, charge_order_id = null,
      notified_cents = null, notified_product_id = null, failure = null, failed_card = null
    from unnest(
      ${[...stepsByService.keys()]}::uuid[],
      ${steps.map((due) => due?.step ?? null)}::text[],
      ${steps.map((due) => due && toDate(due.dueAt).toISOString())}::timestamptz[],
      ${steps.map((due) => due?.attempts ?? 0)}::int[]
    ) as next(service_id, step, due_at, attempts)
    where auto_renewals.service_id = next.service_id`.execute(trx)
}

export type NotifiedCharge = { serviceId: string; next: DueStep; cents: number; productId: string }

export async function scheduleNotifiedCharges(trx: Trx, notified: readonly NotifiedCharge[]): Promise<void> {
  await sql`
    update auto_renewals set step = told.step, due_at = told.due_at, attempts = told.attempts,
      notified_cents = told.cents, notified_product_id = told.product_id
    from unnest(
      ${notified.map(({ serviceId }) => serviceId)}::uuid[],
      ${notified.map(({ next }) => next.step)}::text[],
      ${notified.map(({ next }) => toDate(next.dueAt).toISOString())}::timestamptz[],
      ${notified.map(({ next }) => next.attempts)}::int[],
      ${notified.map(({ cents }) => cents)}::int[],
      ${notified.map(({ productId }) => productId)}::text[]
    ) as told(service_id, step, due_at, attempts, cents, product_id)
    where auto_renewals.service_id = told.service_id`.execute(trx)
}

type PlacedCharge = { serviceId: string; next: DueStep | null; orderId: string }

export async function schedulePlacedCharges(trx: Trx, charged: readonly PlacedCharge[]): Promise<void> {
  await sql`update "auto_renewals" set "step" = charged.step, due_at = charged.due_at, attempts = charged.attempts,
      "charge_order_id" = charged.order_id
    from unnest(
      ${charged.map(({ serviceId }) => serviceId)}::uuid[],
      ${charged.map(({ next }) => next?.step ?? null)}::text[],
      ${charged.map(({ next }) => next && toDate(next.dueAt).toISOString())}::timestamptz[],
      ${charged.map(({ next }) => next?.attempts ?? 0)}::int[],
      ${charged.map(({ orderId }) => orderId)}::uuid[]
    ) as charged(service_id, step, due_at, attempts, order_id)
    where auto_renewals.service_id = charged.service_id`.execute(trx)
}
