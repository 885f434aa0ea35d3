import { sql } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Tables, Trx } from '#kit/server/db.ts'
import { writeInPassing } from '#kit/server/write-in-passing.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    service_deadlines: { service_id: string; kind: DeadlineKind; due_at: Date }
  }
}

export type DeadlineKind =
  | 'expiry'
  | 'release'
  /** So many days before the plan's end. */
  | 'ends-7'
  | 'ends-3'
  | 'ends-2'
  | 'ends-1'
  /** So many days before the number goes. */
  | 'reminder-14'
  | 'reminder-7'
  | 'reminder-1'

export type ServiceDeadline = { kind: DeadlineKind; dueAt: Temporal.Instant }

/** Puts these deadlines in the place of all that the service had. */
export async function replaceDeadlines(trx: Trx, serviceId: string, deadlines: ServiceDeadline[]): Promise<void> {
  await writeInPassing(trx, trx.deleteFrom('service_deadlines').where('service_id', '=', serviceId))
  if (deadlines.length === 0) return
  await writeInPassing(
    trx,
    trx
      .insertInto('service_deadlines')
      .values(deadlines.map(({ kind, dueAt }) => ({ service_id: serviceId, kind, due_at: toDate(dueAt) }))),
  )
}

/** Locks all that is due for a service until the transaction ends, and says what that is. The service must be locked before. */
export async function lockDeadlines(trx: Trx, serviceId: string): Promise<Set<DeadlineKind>> {
  const rows = await trx
    .selectFrom('service_deadlines')
    .select('kind')
    .where('service_id', '=', serviceId)
    .orderBy('kind')
    .forUpdate()
    .execute()
  return new Set(rows.map(({ kind }) => kind))
}

/** While the next plan is being paid for, the number is not given back under it, however long that takes. */
export async function clearReleaseDeadline(trx: Trx, serviceId: string): Promise<void> {
  await writeInPassing(
    trx,
    trx.deleteFrom('service_deadlines').where('service_id', '=', serviceId).where('kind', '=', 'release'),
  )
}

/** For a renewal that came to nothing: the number is released on its day. */
export const resumeRelease = (trx: Trx, serviceId: string, dueAt: Temporal.Instant): Promise<void> =>
  addDeadline(trx, serviceId, { kind: 'release', dueAt })

/** One more, unless the service has one of its kind. */
export async function addDeadline(trx: Trx, serviceId: string, { kind, dueAt }: ServiceDeadline): Promise<void> {
  await writeInPassing(
    trx,
    trx
      .insertInto('service_deadlines')
      .values({ service_id: serviceId, kind, due_at: toDate(dueAt) })
      .onConflict((conflict) => conflict.doNothing()),
  )
}

export type DueDeadline = ServiceDeadline & { serviceId: string }

/**
 * Takes the earliest deadline that is due, but of services that are `passedOver`, and locks it and its service until the transaction
 * ends. One that another process has is passed over, and so is a service that is locked, so that no two wait for each other. The
 * service is tried first: a deadline that was locked and not taken would let a later one of its service go before it.
 */
export async function takeDueDeadline(
  trx: Trx,
  now: Temporal.Instant,
  passedOver: string[] = [],
): Promise<DueDeadline | null> {
  // Materialised, so that it is asked once: inside a join the server may ask again for each row, and take one each time.
  const taken = await sql<Tables['service_deadlines']>`
    with due as materialized (
      select due.service_id, due.kind from service_deadlines due join services on services.id = due.service_id
      where due.due_at <= ${toDate(now)} and due.service_id <> all(${passedOver}::uuid[])
      order by due.due_at, due.service_id limit 1
      for no key update of services skip locked for update of due skip locked
    )
    delete from service_deadlines using due
    where service_deadlines.service_id = due.service_id and service_deadlines.kind = due.kind
    returning service_deadlines.service_id, service_deadlines.kind, service_deadlines.due_at`.execute(trx)
  const [row] = taken.rows
  return row ? { serviceId: row.service_id, kind: row.kind, dueAt: fromDate(row.due_at) } : null
}

export async function nextDeadline(db: Db): Promise<Temporal.Instant | null> {
  const row = await db.selectFrom('service_deadlines').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row ? fromDate(row.due_at) : null
}
