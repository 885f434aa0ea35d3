import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Clock, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'

/** Takes the demo's mail in, as the recipients' mailboxes would: one entry for a Message-ID, however often it comes. */
export function createMailbox(db: Db, clock: Clock): MailSender {
  return {
    async send(mail) {
      await db
        .insertInto('demo_messages')
        .values({
          id: randomUUID(),
          message_id: mail.messageId,
          channel: 'email',
          recipient: mail.to,
          subject: mail.subject,
          body_text: mail.text,
          body_html: mail.html,
          sent_at: toDate(clock.now()),
          deliveries: 1,
        })
        .onConflict((conflict) => conflict.column('message_id').doUpdateSet({ deliveries: sql<number>`demo_messages.deliveries + 1` }))
        .execute()
      return 'sent'
    },
  }
}

export type DemoMessage = {
  id: string
  message_id: string
  channel: 'email' | 'sms'
  to: string
  subject: string
  text: string
  html: string
  links: string[]
  sent_at: string
}

/** Messages to one address, or to all, newest first. */
export async function readMailbox(db: Db, to: string | undefined): Promise<DemoMessage[]> {
  const rows = await db
    .selectFrom('demo_messages')
    .selectAll()
    .$if(Boolean(to), (query) => query.where('recipient', '=', (to ?? '').trim().toLowerCase()))
    .orderBy('sent_at', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    message_id: row.message_id,
    channel: row.channel,
    to: row.recipient,
    subject: row.subject,
    text: row.body_text,
    html: row.body_html,
    links: [...new Set(row.body_text.match(/https?:\/\/\S+/g) ?? [])],
    sent_at: row.sent_at.toISOString(),
  }))
}
