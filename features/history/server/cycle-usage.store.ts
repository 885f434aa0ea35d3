import { sql } from 'kysely'
import type { SweptTable } from '#kit/server/backlog.ts'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    cycle_usage: {
      service_id: string
      starts_at: Date
      ends_at: Date
      product_id: string
      is_whole: boolean
      used_mb: number | null
      ran_out_at: Date | null
      due_at: Date | null
    }
  }
}

export type CycleKey = { serviceId: string; startsAt: Temporal.Instant }

export const cycleSweep: SweptTable = { queue: 'history.read-cycle', table: 'cycle_usage', sweptBy: 'due_at' }
export type Cycle = { startsAt: Temporal.Instant; endsAt: Temporal.Instant }

export async function listServicePlans(trx: Trx, serviceIds: readonly string[]) {
  const rows = await trx
    .selectFrom('schedules')
    .select(['service_id', 'product_id', 'expires_at'])
    // Read the date as text, because the database driver would convert it to an instant.
    .select(sql<string>`starts_on::text`.as('starts_on'))
    .where('service_id', '=', sql<string>`any(${serviceIds}::uuid[])`)
    .execute()
  return rows.map((row) => ({
    serviceId: row.service_id,
    productId: row.product_id,
    startsOn: Temporal.PlainDate.from(row.starts_on),
    expiresAt: fromDate(row.expires_at),
  }))
}

/**
 * Makes room for a new plan that begins at the instant `at`: deletes the old plan's later cycles and ends the current
 * cycle, so that its usage is read three hours later. Returns the ids of services that had a current cycle.
 */
export async function shortenCycles(
  trx: Trx,
  serviceIds: readonly string[],
  { at, dueAt }: { at: Temporal.Instant; dueAt: Temporal.Instant },
): Promise<Set<string>> {
  const serviceIdCondition = sql<string>`any(${serviceIds}::uuid[])`
  await trx
    .deleteFrom('cycle_usage')
    .where('service_id', '=', serviceIdCondition)
    .where('starts_at', '>=', toDate(at))
    .execute()
  const rows = await trx
    .updateTable('cycle_usage')
    .set({ ends_at: toDate(at), due_at: toDate(dueAt), is_whole: false })
    .where('service_id', '=', serviceIdCondition)
    .where('ends_at', '>', toDate(at))
    .returning('service_id')
    .execute()
  return new Set(rows.map((row) => row.service_id))
}

type NewCycle = Cycle & { serviceId: string; productId: string; dueAt: Temporal.Instant }

export async function insertCycles(trx: Trx, cycles: readonly NewCycle[]): Promise<void> {
  if (cycles.length === 0) return
  const toIsoTimes = (instantOf: (cycle: NewCycle) => Temporal.Instant): string[] =>
    cycles.map((cycle) => toDate(instantOf(cycle)).toISOString())
  await sql`
    insert into "cycle_usage" (service_id, product_id, starts_at, ends_at, due_at, is_whole)
    select *, true from unnest(
      ${cycles.map(({ serviceId }) => serviceId)}::uuid[],
      ${cycles.map(({ productId }) => productId)}::text[],
      ${toIsoTimes(({ startsAt }) => startsAt)}::timestamptz[],
      ${toIsoTimes(({ endsAt }) => endsAt)}::timestamptz[],
      ${toIsoTimes(({ dueAt }) => dueAt)}::timestamptz[]
    )
    on conflict do nothing`.execute(trx)
}

/** Finds services whose current plan has no cycles, because a process running the previous version started the plan. */
export async function listServicesWithoutCycles(db: Db, now: Temporal.Instant, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('schedules')
    .innerJoin('services', 'services.id', 'schedules.service_id')
    .select('service_id')
    .where('services.released_at', 'is', null)
    .where('expires_at', '>', toDate(now))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('cycle_usage')
            .select('cycle_usage.service_id')
            .whereRef('cycle_usage.service_id', '=', 'schedules.service_id')
            .whereRef('cycle_usage.ends_at', '=', 'schedules.expires_at'),
        ),
      ),
    )
    .orderBy('service_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.service_id)
}

/**
 * Claims due cycles, longest overdue first, and schedules each one's next attempt. The delay is half the time since the
 * cycle ended, but at least an hour.
 */
export async function claimDueCycles(
  trx: Trx,
  { now, limit }: { now: Temporal.Instant; limit: number },
): Promise<CycleKey[]> {
  // The subquery is materialized, so that PostgreSQL respects its limit (see `leaseDueRows` in kit/server/retry-queue.ts).
  const { rows } = await sql<{ service_id: string; starts_at: Date }>`
    with due as materialized (
      select service_id, starts_at from cycle_usage where due_at <= ${toDate(now)}
      order by due_at limit ${limit} for update skip locked
    )
    update cycle_usage set due_at = ${toDate(now)}::timestamptz + greatest(interval '1 hour', (${toDate(now)}::timestamptz - ends_at) / 2)
    where (service_id, starts_at) in (select service_id, starts_at from due)
    returning service_id, starts_at`.execute(trx)
  return rows.map((row) => ({ serviceId: row.service_id, startsAt: fromDate(row.starts_at) }))
}

export async function findNextDueCycle(db: Db): Promise<Temporal.Instant | null> {
  const row = await db
    .selectFrom('cycle_usage')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ? fromDate(row.due_at) : null
}

export const findOpenCycle = (db: Db, { serviceId, startsAt }: CycleKey) =>
  db
    .selectFrom('cycle_usage')
    .innerJoin('services', 'services.id', 'cycle_usage.service_id')
    .innerJoin('products', 'products.unique_id', 'cycle_usage.product_id')
    .select(['starts_at', 'ends_at', 'data_gb', 'services.id', 'services.msisdn', 'services.released_at'])
    .where('service_id', '=', serviceId)
    .where('starts_at', '=', toDate(startsAt))
    .where('due_at', 'is not', null)
    .executeTakeFirst()
export type OpenCycle = NonNullable<Awaited<ReturnType<typeof findOpenCycle>>>

export type CycleUsage = { usedMb: number; ranOutAt: Temporal.Instant | null }

/**
 * Records a cycle's usage once. `use` is `null` when the usage will never be known. Returns false if the usage has already
 * been recorded, or if the cycle's end has changed since the cycle was read.
 */
export async function closeCycle(db: Db, cycle: OpenCycle, use: CycleUsage | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cycle_usage')
    .set({
      used_mb: use?.usedMb ?? null,
      ran_out_at: use?.ranOutAt ? toDate(use.ranOutAt) : null,
      due_at: null,
    })
    .where('service_id', '=', cycle.id)
    .where('starts_at', '=', cycle.starts_at)
    .where('ends_at', '=', cycle.ends_at)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

type UsagePeriod = { since: Temporal.Instant; now: Temporal.Instant }

export const listEndedCycles = (db: Db | Trx, serviceId: string, period: UsagePeriod & { limit: number }) =>
  endedCyclesQuery(db, serviceId, period).orderBy('starts_at', 'desc').limit(period.limit).execute()

export const listEndedCyclesAfter = (
  db: Db,
  serviceId: string,
  { after, ...period }: UsagePeriod & { after: Date; limit: number },
) =>
  endedCyclesQuery(db, serviceId, period)
    .where('starts_at', '>', after)
    .orderBy('starts_at')
    .limit(period.limit)
    .execute()

const endedCyclesQuery = (db: Db | Trx, serviceId: string, { since, now }: UsagePeriod) =>
  db
    .selectFrom('cycle_usage')
    .innerJoin('products', 'products.unique_id', 'cycle_usage.product_id')
    .select(['starts_at', 'ends_at', 'is_whole', 'used_mb', 'ran_out_at', 'due_at'])
    .select(['products.title', 'data_gb', 'length_days'])
    .where('service_id', '=', serviceId)
    .where('ends_at', '>', toDate(since))
    .where('ends_at', '<=', toDate(now))
export type EndedCycleRow = Awaited<ReturnType<typeof listEndedCycles>>[number]

/**
 * Deletes cycles that ended before `before`. Cycles are kept for thirteen months, which is long enough to show a full year
 * without keeping personal data for longer than needed.
 */
export async function purgeCycles(db: Db, before: Temporal.Instant): Promise<void> {
  await db.deleteFrom('cycle_usage').where('ends_at', '<', toDate(before)).execute()
}

export async function deleteCycles(trx: Trx, serviceIds: string[]): Promise<void> {
  if (serviceIds.length > 0) await trx.deleteFrom('cycle_usage').where('service_id', 'in', serviceIds).execute()
}
