import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openJournal } from '../journal.ts'
import type { Recipient, RecipientBehaviour } from '../recipients.ts'
import { SmsFault, type SmsRequest } from './message.ts'

export type AcceptedText = SmsRequest & {
  id: string
  at: string
  state: 'completed' | 'failed'
}

export type SmsLedgerLine = Omit<AcceptedText, 'externalId'> & { external_id: string | null; asked: number }

type Entry =
  | { type: 'taken'; text: AcceptedText }
  | { type: 'asked_again'; id: string }
  | ({ type: 'recipient' } & Recipient)

export type TextStore = {
  /**
   * Accepts a text message, or returns the existing one with the same externalId. Once this returns, the message is on disk.
   * @throws SmsFault 409 if the externalId belongs to a different message
   */
  take(wanted: SmsRequest, state: AcceptedText['state']): { text: AcceptedText; repeated: boolean }
  ledger(): SmsLedgerLine[]
  find(id: string): AcceptedText | undefined
  all(): AcceptedText[]
  setRecipients(recipients: readonly Recipient[]): void
  behaviourOf(to: string): RecipientBehaviour
  close(): void
}

export function openTextStore(dataDir: string): TextStore {
  const journal = openJournal<Entry>(join(dataDir, 'sms.jsonl'))
  const texts = new Map<string, AcceptedText & { asked: number }>()
  const textsByExternalId = new Map<string, AcceptedText>()
  const recipients = new Map<string, RecipientBehaviour>()
  const apply = (entry: Entry): void => {
    if (entry.type === 'recipient') return void recipients.set(entry.to, entry.behaviour)
    if (entry.type === 'asked_again') return void texts.get(entry.id)!.asked++
    texts.set(entry.text.id, { ...entry.text, asked: 1 })
    if (entry.text.externalId !== null) textsByExternalId.set(entry.text.externalId, entry.text)
  }
  const record = (entry: Entry): void => {
    journal.append(entry)
    apply(entry)
  }
  for (const entry of journal.entries) apply(entry)
  return {
    take(wanted, state) {
      const known = wanted.externalId === null ? undefined : textsByExternalId.get(wanted.externalId)
      if (!known) {
        const text = { id: randomUUID(), at: new Date().toISOString(), ...wanted, state }
        record({ type: 'taken', text })
        return { text, repeated: false }
      }
      if (known.to !== wanted.to || known.text !== wanted.text)
        throw new SmsFault(409, 'EXTERNAL_ID_REUSED', 'This externalId belongs to another message.')
      record({ type: 'asked_again', id: known.id })
      return { text: known, repeated: true }
    },
    ledger: () =>
      [...texts.values()].map(({ externalId, asked, ...text }) => ({ external_id: externalId, ...text, asked })),
    find: (id) => texts.get(id),
    all: () => [...texts.values()],
    setRecipients(wanted) {
      for (const { to, behaviour } of wanted)
        if (recipients.get(to) !== behaviour) record({ type: 'recipient', to, behaviour })
    },
    behaviourOf: (to) => recipients.get(to) ?? 'ok',
    close: () => journal.close(),
  }
}
