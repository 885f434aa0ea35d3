import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { normaliseEmail } from '#kit/contract/email.ts'
import { parseMobile, type Region } from '#kit/contract/phone.ts'
import { type Clock, toDate } from '#kit/server/clock.ts'
import { type Db, type Tables, transact, type Trx } from '#kit/server/db.ts'
import type { Attachment, Mail, MailSender, RejectedMessage } from '#providers/mail/mail.port.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'

export type Mailbox = { mail: MailSender; sms: SmsSender }

export const fullMailboxDomain = 'full.example'
const mailboxFullRejection = (to: string): RejectedMessage => ({
  outcome: 'refused',
  answer: `552 5.2.2 <${to}>: mailbox full`,
})

/** Creates the demo's mailbox. If a message with the same id arrives more than once, only one copy is stored. */
export function createMailbox(db: Db, clock: Clock): Mailbox {
  const insertMessage = (
    place: Db | Trx,
    channel: DemoMessage['channel'],
    { messageId, to: recipient, subject, text, html }: Omit<Mail, 'from'>,
  ): Promise<{ id: string; deliveries: number }> =>
    place
      .insertInto('demo_messages')
      .values({
        id: randomUUID(),
        message_id: messageId,
        channel,
        recipient,
        subject,
        body_text: text,
        body_html: html,
        sent_at: toDate(clock.now()),
        deliveries: 1,
      })
      .onConflict((conflict) =>
        conflict.column('message_id').doUpdateSet({ deliveries: sql<number>`demo_messages.deliveries + 1` }),
      )
      .returning(['id', 'deliveries'])
      .executeTakeFirstOrThrow()
  async function take(channel: DemoMessage['channel'], message: Omit<Mail, 'from'>): Promise<'sent'> {
    const { attachments = [] } = message
    // Messages without attachments don't need a transaction. Skipping it saves time on nights with thousands of messages.
    if (attachments.length === 0) {
      await insertMessage(db, channel, message)
      return 'sent'
    }
    await transact(db, async (trx) => {
      const { id, deliveries } = await insertMessage(trx, channel, message)
      if (deliveries > 1) return
      const files = attachments.map((file, position) => ({
        id: randomUUID(),
        message_id: id,
        position,
        filename: file.filename,
        content_type: file.contentType,
        content: file.content,
      }))
      await trx.insertInto('demo_attachments').values(files).execute()
    })
    return 'sent'
  }
  return {
    mail: {
      send: async (mail) =>
        mail.to.endsWith(`@${fullMailboxDomain}`) ? mailboxFullRejection(mail.to) : take('email', mail),
    },
    sms: { send: (sms) => take('sms', { ...sms, subject: '', html: '' }) },
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
  attachments: { filename: string; url: string }[]
  sent_at: string
}

export type DonorTextMessage = Pick<DemoMessage, 'id' | 'to' | 'text' | 'sent_at'>

export async function readMailbox(
  db: Db,
  to: string | undefined,
  { region, donorTexts }: { region: Region; donorTexts: DonorTextMessage[] },
): Promise<DemoMessage[]> {
  const recipient = normaliseRecipient(to ?? '', region)
  const rows = await db
    .selectFrom('demo_messages')
    .selectAll()
    .$if(recipient !== '', (query) => query.where('recipient', '=', recipient))
    .orderBy('sent_at', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()
  const ids = rows.map(({ id }) => id)
  const files = ids.length > 0 ? await selectAttachments(db, ids) : []
  const matchingDonorTexts = donorTexts.filter((text) => recipient === '' || text.to === recipient)
  return [...matchingDonorTexts.map(toDemoMessage), ...rows.map((row) => presentRow(row, files))].toSorted((a, b) =>
    b.sent_at.localeCompare(a.sent_at),
  )
}

type Row = Selectable<Tables['demo_messages']>

const presentRow = (row: Row, files: { id: string; message_id: string; filename: string }[]): DemoMessage => ({
  id: row.id,
  message_id: row.message_id,
  channel: row.channel,
  to: row.recipient,
  subject: row.subject,
  text: row.body_text,
  html: row.body_html,
  links: extractLinks(row.body_text),
  attachments: files
    .filter((file) => file.message_id === row.id)
    .map(({ id, filename }) => ({ filename, url: attachmentPath(id) })),
  sent_at: row.sent_at.toISOString(),
})

const toDemoMessage = (text: DonorTextMessage): DemoMessage => ({
  ...text,
  message_id: text.id,
  channel: 'sms',
  subject: '',
  html: '',
  links: [],
  attachments: [],
})

const selectAttachments = (db: Db, messageIds: string[]) =>
  db
    .selectFrom('demo_attachments')
    .select(['id', 'message_id', 'filename'])
    .where('message_id', 'in', messageIds)
    .orderBy('position')
    .execute()

export const attachmentPath = (id: string): string => `/demo/mailbox/attachments/${id}`

export async function readAttachment(db: Db, id: string): Promise<Attachment | null> {
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return null
  const row = await db.selectFrom('demo_attachments').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? { filename: row.filename, contentType: row.content_type, content: row.content } : null
}

/** Normalises an email address or phone number from a query string, where an unencoded plus sign has been decoded as a space. */
function normaliseRecipient(to: string, region: Region): string {
  const recipientText = to.trim()
  if (recipientText.includes('@')) {
    const address = recipientText.replaceAll(' ', '+')
    return normaliseEmail(address) ?? address
  }
  const mobile = parseMobile(recipientText, region)
  return typeof mobile === 'string' ? recipientText : mobile.e164
}

const extractLinks = (text: string): string[] => [
  ...new Set((text.match(/https?:\/\/\S+/g) ?? []).map((link) => link.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, ''))),
]
