import { sql } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Tables, Trx } from '#kit/server/db.ts'
import { type BatchSelection, batchCondition } from '#kit/server/process-in-batches.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    service_deadlines: { service_id: string; kind: DeadlineKind; due_at: Date }
  }
}

export type DeadlineKind =
  | 'expiry'
  | 'release'
  | 'ends-7'
  | 'ends-3'
  | 'ends-2'
  | 'ends-1'
  /** Reminders that are sent this many days before the number is released. */
  | 'reminder-14'
  | 'reminder-7'
  | 'reminder-1'

export type ServiceDeadline = { kind: DeadlineKind; dueAt: Temporal.Instant }

export async function deleteDeadlines(trx: Trx, serviceIds: readonly string[]): Promise<void> {
  await sql`delete from service_deadlines where service_id = any(${serviceIds}::uuid[])`.execute(trx)
}

export async function replaceDeadlines(trx: Trx, deadlines: Map<string, ServiceDeadline[]>): Promise<void> {
  await deleteDeadlines(trx, [...deadlines.keys()])
  await addDeadlines(
    trx,
    [...deadlines].flatMap(([serviceId, each]) => each.map((deadline) => ({ serviceId, ...deadline }))),
  )
}

/**
 * Locks the given services' deadlines, and returns which kinds each service has. The caller must have locked the
 * services.
 */
export async function lockDeadlines(
  trx: Trx,
  serviceIds: readonly string[],
): Promise<(serviceId: string) => Set<DeadlineKind>> {
  const rows = await trx
    .selectFrom('service_deadlines')
    .select(['service_id', 'kind'])
    .where('service_id', '=', sql<string>`any(${serviceIds}::uuid[])`)
    .orderBy('service_id')
    .orderBy('kind')
    .forUpdate()
    .execute()
  const rowsByService = Map.groupBy(rows, (row) => row.service_id)
  return (serviceId) => new Set(rowsByService.get(serviceId)?.map(({ kind }) => kind))
}

/**
 * Locks the given services' release deadlines, and returns the IDs of the services that have one. The caller must have
 * locked the services.
 */
export async function lockReleaseDeadlines(trx: Trx, serviceIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ service_id: string }>`
    select service_id from service_deadlines where service_id = any(${serviceIds}::uuid[]) and kind = 'release'
    order by service_id for update`.execute(trx)
  return new Set(rows.map((row) => row.service_id))
}

/**
 * Deletes the given services' release deadlines, so that their numbers are kept for however long it takes to pay for
 * their next plans.
 */
export async function deleteReleaseDeadlines(trx: Trx, serviceIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('service_deadlines')
    .where('service_id', '=', sql<string>`any(${serviceIds}::uuid[])`)
    .where('kind', '=', 'release')
    .execute()
}

export const restoreReleaseDeadline = (trx: Trx, serviceId: string, dueAt: Temporal.Instant): Promise<void> =>
  addDeadlines(trx, [{ serviceId, kind: 'release', dueAt }])

export type DueDeadline = ServiceDeadline & { serviceId: string }

/** Adds deadlines to services. Ignores a deadline if its service already has one of the same kind. */
export async function addDeadlines(trx: Trx, deadlines: readonly DueDeadline[]): Promise<void> {
  if (deadlines.length === 0) return
  await sql`
    insert into service_deadlines (service_id, kind, due_at)
    select * from unnest(
      ${deadlines.map(({ serviceId }) => serviceId)}::uuid[],
      ${deadlines.map(({ kind }) => kind)}::text[],
      ${deadlines.map(({ dueAt }) => toDate(dueAt).toISOString())}::timestamptz[]
    )
    on conflict do nothing`.execute(trx)
}

/**
 * Removes and returns the earliest due deadlines, at most one per service, and locks their services until the
 * transaction ends. Skips rows that another process has locked, so that two processes never wait for each other. Locks
 * the service first: if a deadline were skipped and its service were not, a later deadline of the same service could
 * run first. Number releases are dequeued separately, once their service has no earlier deadline left.
 */
export async function dequeueDueDeadlines(
  trx: Trx,
  { now, of }: { now: Temporal.Instant; of: 'numbers that go' | 'all else' },
  which: BatchSelection,
): Promise<DueDeadline[]> {
  const kindCondition =
    of === 'all else'
      ? sql`due.kind <> 'release'`
      : sql`due.kind = 'release' and not exists (
          select from service_deadlines earlier
          where earlier.service_id = due.service_id and earlier.kind <> 'release' and earlier.due_at < due.due_at
        )`
  /*
   * The subquery is materialised so that it runs only once. Inside a join, PostgreSQL may run it for every row and lock
   * more rows.
   */
  const deletedRows = await sql<Tables['service_deadlines']>`
    with due as materialized (
      select due.service_id, due.kind, due.due_at from service_deadlines due join services on services.id = due.service_id
      where due.due_at <= ${toDate(now)} and ${kindCondition} and ${batchCondition(which, sql.ref('due.service_id'))}
      order by due.due_at, due.service_id limit ${which.most}
      for no key update of services skip locked for update of due skip locked
    ),
    first as (select distinct on (service_id) service_id, kind from due order by service_id, due_at)
    delete from service_deadlines using first
    where service_deadlines.service_id = first.service_id and service_deadlines.kind = first.kind
    returning service_deadlines.service_id, service_deadlines.kind, service_deadlines.due_at`.execute(trx)
  return deletedRows.rows.map((row) => ({ serviceId: row.service_id, kind: row.kind, dueAt: fromDate(row.due_at) }))
}

export async function findNextDeadline(db: Db): Promise<Temporal.Instant | null> {
  const row = await db.selectFrom('service_deadlines').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row ? fromDate(row.due_at) : null
}
