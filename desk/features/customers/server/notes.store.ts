import { randomUUID } from 'node:crypto'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    customer_notes: { id: string; user_id: string; staff_id: string; body: string; at: Date }
  }
}

export async function insertNote(trx: Trx, note: { userId: string; staffId: string; body: string }): Promise<string> {
  const id = randomUUID()
  await trx
    .insertInto('customer_notes')
    .values({ id, user_id: note.userId, staff_id: note.staffId, body: note.body, at: toDate(realNow()) })
    .execute()
  return id
}

export const listNotes = (db: Db, userId: string, limit: number) =>
  db
    .selectFrom('customer_notes')
    .innerJoin('staff', 'staff.id', 'customer_notes.staff_id')
    .select(['customer_notes.id', 'customer_notes.body', 'customer_notes.at', 'staff.name as by'])
    .where('user_id', '=', userId)
    .orderBy('customer_notes.at', 'desc')
    .orderBy('customer_notes.id')
    .limit(limit)
    .execute()

export async function deleteCustomerNotes(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('customer_notes').where('user_id', '=', userId).execute()
}

export async function reassignNotes(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  await trx.updateTable('customer_notes').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute()
}
