import type { SmsSender } from '#providers/sms/sms.port.ts'
import { createSmsSender } from '#providers/sms/tmf681.ts'
import { openAccess } from '#providers/tmf/access.ts'
import { createExchanges, type Exchanges } from '../exchanges.ts'
import { noting } from '../noting.ts'
import { createReferences } from '../references.ts'
import { strangerOf } from '../strangers.ts'
import type { SmsFile } from './sms-file.ts'

/** As the product has it. */
const timeoutMs = 15_000

export type SmsWorld = {
  file: SmsFile
  carrier: SmsSender
  /** The same with a secret that is nobody's; null where none is asked for. */
  stranger: SmsSender | null
  exchanges: Exchanges
  nextReference(): string
  close(): Promise<void>
}

/** Opens the way to a carrier. A text cannot be taken back: nothing is noted for that. */
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
