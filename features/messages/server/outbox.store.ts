import { sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Message, MessageTable, SendCondition } from './messages.store.ts'
import type { StatedFacts } from './stated-facts.store.ts'

export type NewMessage = {
  id: string
  eventKey: string
  kind: string
  ref: string
  userId: string | null
  messageId: string
  channel: 'email' | 'sms'
  recipient: string
  subject: string
  attachment: string | null
  sealedBody: string
  onlyWhile: SendCondition | null
  stated: StatedFacts | null
}

const insertedColumns = [
  'id',
  'event_key',
  'kind',
  'ref',
  'user_id',
  'message_id',
  'channel',
  'recipient',
  'subject',
  'attachment',
  'sealed_body',
  'created_at',
  'service_id',
  'premise',
  'by_day',
  'queued_at',
  'tries',
  'retry_at',
  'stated',
] as const satisfies (keyof MessageTable)[]

/**
 * Inserts any number of messages with one statement. Skips events that already have a message, and returns the ids of the
 * inserted messages.
 * @param foundAt when other processes may pick up the messages, in real time. For a message with a job, this is when the
 * job counts as lost
 */
export async function insertMessages(
  trx: Trx,
  messages: readonly NewMessage[],
  { at, foundAt }: { at: Temporal.Instant; foundAt: Date },
): Promise<Set<string>> {
  const columns = sql.join(insertedColumns.map((name) => sql.ref(name)))
  const rows = messages.map((message): Pick<Message, (typeof insertedColumns)[number]> => ({
    id: message.id,
    event_key: message.eventKey,
    kind: message.kind,
    ref: message.ref,
    user_id: message.userId,
    message_id: message.messageId,
    channel: message.channel,
    recipient: message.recipient,
    subject: message.subject,
    attachment: message.attachment,
    sealed_body: message.sealedBody,
    created_at: toDate(at),
    service_id: message.onlyWhile?.serviceId ?? null,
    premise: message.onlyWhile?.premise ?? null,
    by_day: message.onlyWhile?.byDay ?? false,
    queued_at: toDate(realNow()),
    tries: 0,
    retry_at: foundAt,
    stated: message.stated,
  }))
  const insertedMessages = await sql<{ id: string }>`insert into "messages" (${columns})
    select ${columns} from json_populate_recordset(null::messages, ${JSON.stringify(rows)}::json)
    on conflict (event_key) do nothing returning id`.execute(trx)
  return new Set(insertedMessages.rows.map(({ id }) => id))
}
