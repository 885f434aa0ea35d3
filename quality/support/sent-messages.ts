import { randomUUID } from 'node:crypto'
import type { Customer } from './customer.ts'
import type { World } from './world.ts'

type Row = { channel: 'email' | 'sms'; subject: string; kind: string; recipient: string; outcome: string | null }

/** The columns that record a message's outcome, used in rotation: most messages are sent, some are rejected or dropped. */
const outcomeColumns = ['sent_at', 'sent_at', 'sent_at', 'refused_at', 'dropped_at'] as const

/**
 * Adds `times` messages to a customer, one hour apart, the newest of them an hour old. Emails alternate with text messages, and all given
 * kinds and outcomes occur. Nothing is actually sent.
 */
export async function addSentMessages(
  { db, deps: { clock } }: Pick<World, 'db' | 'deps'>,
  { id, email }: Pick<Customer, 'id' | 'email'>,
  { times, kinds, number }: { times: number; kinds: readonly string[]; number: string },
): Promise<void> {
  const now = clock.now()
  const rows = Array.from({ length: times }, (_, index): Row => {
    const isSms = index % 2 === 1
    return {
      channel: isSms ? 'sms' : 'email',
      subject: isSms ? '' : `Your letter ${index + 1}`,
      kind: isSms ? (kinds[((index - 1) / 2) % kinds.length] ?? '') : 'activation',
      recipient: isSms ? number : email,
      outcome: outcomeColumns[index % outcomeColumns.length] ?? null,
    }
  })
  await db
    .insertInto('messages')
    .values(
      rows.map(({ outcome, ...row }, index) => {
        const at = new Date(now.subtract({ hours: index + 1 }).epochMilliseconds)
        const id_ = randomUUID()
        return {
          ...row,
          id: id_,
          event_key: `${row.kind}:${id_}`,
          message_id: `<${id_}@example.test>`,
          ref: id_,
          user_id: id,
          attachment: null,
          sealed_body: null,
          created_at: at,
          sent_at: null,
          refused_at: null,
          dropped_at: null,
          ...(outcome && { [outcome]: at }),
          tries: 1,
          retry_at: null,
          service_id: null,
          premise: null,
          by_day: false,
          due_at: null,
        }
      }),
    )
    .execute()
}
