import { sql } from 'kysely'
import { fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    service_deadlines: { service_id: string; kind: DeadlineKind; due_at: Date }
  }
}

export type DeadlineKind = 'expiry' | 'reminder-14' | 'reminder-7' | 'reminder-1' | 'release'

export type ServiceDeadline = { kind: DeadlineKind; dueAt: Temporal.Instant }

/** Puts these deadlines in the place of all that the service had. */
export async function replaceDeadlines(trx: Trx, serviceId: string, deadlines: ServiceDeadline[]): Promise<void> {
  await trx.deleteFrom('service_deadlines').where('service_id', '=', serviceId).execute()
  if (deadlines.length === 0) return
  await trx
    .insertInto('service_deadlines')
    .values(deadlines.map(({ kind, dueAt }) => ({ service_id: serviceId, kind, due_at: toDate(dueAt) })))
    .execute()
}

/** Takes the earliest deadline that is due, and holds it until the transaction ends; one that another process has is passed over. */
export async function takeDueDeadline(trx: Trx, now: Temporal.Instant): Promise<{ serviceId: string; kind: DeadlineKind; dueAt: Temporal.Instant } | null> {
  const row = await trx
    .deleteFrom('service_deadlines')
    .where(sql<boolean>`(service_id, kind) in (
      select service_id, kind from service_deadlines where due_at <= ${toDate(now)} order by due_at, service_id limit 1 for update skip locked
    )`)
    .returningAll()
    .executeTakeFirst()
  return row ? { serviceId: row.service_id, kind: row.kind, dueAt: fromDate(row.due_at) } : null
}

export async function nextDeadline(db: Db): Promise<Temporal.Instant | null> {
  const row = await db.selectFrom('service_deadlines').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row ? fromDate(row.due_at) : null
}
