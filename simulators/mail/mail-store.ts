import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openJournal } from '../journal.ts'
import type { Recipient, RecipientBehaviour } from '../recipients.ts'
import { findHeader } from './headers.ts'

export type AcceptedMail = {
  id: string
  at: string
  from: string
  to: string[]
  tls: boolean
  /** The user who logged in to send the message. `null` if no login is required. */
  user: string | null
  /** The message exactly as received, one character per byte (latin1). */
  source: string
}

export type MailLedgerLine = Omit<AcceptedMail, 'source'> & {
  message_id: string | null
  subject: string | null
  /** Bytes. */
  size: number
}

type Entry = { type: 'taken'; mail: AcceptedMail } | ({ type: 'recipient' } & Recipient)

export type MailStore = {
  /** Stores a message. Once this returns, the message is on disk. */
  take(mail: Omit<AcceptedMail, 'id' | 'at'>): AcceptedMail
  /** Lists the accepted messages, oldest first. A message that was sent twice is listed twice. */
  ledger(): MailLedgerLine[]
  /** Returns the accepted messages, oldest first. */
  list(): AcceptedMail[]
  find(id: string): AcceptedMail | undefined
  setRecipients(recipients: readonly Recipient[]): void
  behaviourOf(address: string): RecipientBehaviour
  close(): void
}

export function openMailStore(dataDir: string): MailStore {
  const journal = openJournal<Entry>(join(dataDir, 'mail.jsonl'))
  const mails = new Map<string, AcceptedMail>()
  const recipients = new Map<string, RecipientBehaviour>()
  const apply = (entry: Entry): void => {
    if (entry.type === 'taken') mails.set(entry.mail.id, entry.mail)
    else recipients.set(entry.to, entry.behaviour)
  }
  const record = (entry: Entry): void => {
    journal.append(entry)
    apply(entry)
  }
  for (const entry of journal.entries) apply(entry)
  return {
    take(mail) {
      const taken = { id: randomUUID(), at: new Date().toISOString(), ...mail }
      record({ type: 'taken', mail: taken })
      return taken
    },
    ledger: () => [...mails.values()].map(createLedgerLine),
    list: () => [...mails.values()],
    find: (id) => mails.get(id),
    setRecipients(wanted) {
      for (const { to, behaviour } of wanted) {
        const address = to.toLowerCase()
        if (recipients.get(address) !== behaviour) record({ type: 'recipient', to: address, behaviour })
      }
    },
    behaviourOf: (address) => recipients.get(address.toLowerCase()) ?? 'ok',
    close: () => journal.close(),
  }
}

const createLedgerLine = ({ source, ...mail }: AcceptedMail): MailLedgerLine => ({
  ...mail,
  message_id: findHeader(source, 'Message-ID'),
  subject: findHeader(source, 'Subject'),
  size: source.length,
})
