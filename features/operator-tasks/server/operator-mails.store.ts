import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    operator_mails: { single: boolean; mailed_at: Date | null; event_key: string | null }
  }
}

/** Locks the row for the last email to the operator until the transaction ends. Returns `null` if another process holds the lock. */
export async function lockLastMail(trx: Trx): Promise<{ mailed_at: Date | null; event_key: string | null } | null> {
  const row = await trx
    .selectFrom('operator_mails')
    .select(['mailed_at', 'event_key'])
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row ?? null
}

export async function recordMail(trx: Trx, eventKey: string, at: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('operator_mails')
    .set({ mailed_at: toDate(at), event_key: eventKey })
    .execute()
}

/** Forgets the last email to the operator, which was never sent, so that the next one does not have to wait an hour. */
export async function clearLastMail(trx: Trx): Promise<void> {
  await trx.updateTable('operator_mails').set({ mailed_at: null, event_key: null }).execute()
}
