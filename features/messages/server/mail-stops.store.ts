import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    mail_stops: { user_id: string; stopped_at: Date }
  }
}

export async function stopMailToUser(trx: Trx, userId: string, at: Temporal.Instant): Promise<void> {
  await trx
    .insertInto('mail_stops')
    .values({ user_id: userId, stopped_at: toDate(at) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function allowMailToUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('mail_stops').where('user_id', '=', userId).execute()
}

export async function findMailStoppedUsers(db: Db | Trx, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('mail_stops')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

export const isMailStopped = async (db: Db | Trx, userId: string): Promise<boolean> =>
  (await findMailStoppedUsers(db, [userId])).has(userId)
