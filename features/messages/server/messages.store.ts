import { sql, type Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Retries } from '#kit/server/retries.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    messages: MessageTable
  }
}

type MessageTable = {
  id: string
  event_key: string
  message_id: string
  channel: 'email' | 'sms'
  recipient: string
  subject: string
  /** What the file that goes with it is of. */
  attachment: string | null
  sealed_body: string | null
  created_at: Date
  sent_at: Date | null
  refused_at: Date | null
  tries: number
  retry_at: Date | null
}
export type Message = Selectable<MessageTable>

type NewMessage = {
  id: string
  eventKey: string
  messageId: string
  channel: 'email' | 'sms'
  recipient: string
  subject: string
  attachment: string | null
  sealedBody: string
}

export const messageRetries: Retries = { table: 'messages', key: 'id', leaseSeconds: 30 }

/** False when the event has its message already. */
export async function insertMessage(trx: Trx, message: NewMessage, at: Temporal.Instant): Promise<boolean> {
  const row = await trx
    .insertInto('messages')
    .values({
      id: message.id,
      event_key: message.eventKey,
      message_id: message.messageId,
      channel: message.channel,
      recipient: message.recipient,
      subject: message.subject,
      attachment: message.attachment,
      sealed_body: message.sealedBody,
      created_at: toDate(at),
      sent_at: null,
      refused_at: null,
      tries: 0,
      // The job sends it at once; this is for the case that the job is lost.
      retry_at: toDate(realNow().add({ seconds: 15 })),
    })
    .onConflict((conflict) => conflict.column('event_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const findUnsent = (db: Db, id: string): Promise<Message | undefined> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('refused_at', 'is', null)
    .executeTakeFirst()

/** The body goes with the outcome: it may hold a link that signs something off. */
export async function endMessage(db: Db, id: string, outcome: 'sent' | 'refused'): Promise<void> {
  const now = toDate(realNow())
  await db
    .updateTable('messages')
    .set({ ...(outcome === 'sent' ? { sent_at: now } : { refused_at: now }), sealed_body: null, retry_at: null })
    .where('id', '=', id)
    .execute()
}

/** Removes what was sent or refused 90 days ago or more: whom we wrote to is not kept for ever. What waits stays. */
export async function purgeOldMessages(db: Db): Promise<void> {
  const before = toDate(realNow().subtract({ hours: 24 * 90 }))
  await db
    .deleteFrom('messages')
    .where(sql<Date>`coalesce(sent_at, refused_at)`, '<=', before)
    .execute()
}
