import type { SmsSender } from '#providers/sms/sms.port.ts'
import { createSmsSender } from '#providers/sms/tmf681.ts'
import { openAccess } from '#providers/tmf/access.ts'
import { createExchanges, type Exchanges } from '../exchanges.ts'
import { noting } from '../noting.ts'
import { createReferences } from '../references.ts'
import { strangerOf } from '../strangers.ts'
import type { SmsFile } from './sms-file.ts'

const timeoutMs = 15_000

export type SmsWorld = {
  file: SmsFile
  carrier: SmsSender
  /** The same carrier, called with an invalid secret. `null` if the carrier requires no credentials. */
  stranger: SmsSender | null
  exchanges: Exchanges
  nextReference(): string
  close(): Promise<void>
}

/** A sent text cannot be undone, so no undo is registered. */
export async function openSmsWorld(file: SmsFile): Promise<SmsWorld> {
  const exchanges = createExchanges()
  const stranger = strangerOf(file.access)
  const senderBy = (access: SmsFile['access']): SmsSender =>
    createSmsSender({
      baseUrl: file.settings['SMS_URL'] ?? '',
      sender: file.settings['SMS_SENDER'] ?? '',
      access: noting(openAccess(access), exchanges),
      timeoutMs,
    })
  return {
    file,
    carrier: senderBy(file.access),
    stranger: stranger && senderBy(stranger),
    exchanges,
    nextReference: createReferences(),
    close: async () => {},
  }
}
