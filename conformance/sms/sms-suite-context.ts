import type { SmsSender } from '#providers/sms/sms.port.ts'
import { createSmsSender } from '#providers/sms/tmf681.ts'
import { createCarrierAccess } from '#providers/tmf/access.ts'
import { createExchangeLog, type ExchangeLog } from '../exchange-log.ts'
import { recordExchanges } from '../record-exchanges.ts'
import { createReferenceGenerator } from '../reference-generator.ts'
import { withInvalidSecret } from '../invalid-access.ts'
import type { SmsFile } from './sms-file.ts'

const timeoutMs = 15_000

export type SmsSuiteContext = {
  file: SmsFile
  carrier: SmsSender
  /** A client that calls the carrier with an invalid secret. `null` if the carrier requires no credentials. */
  stranger: SmsSender | null
  exchanges: ExchangeLog
  nextReference(): string
  close(): Promise<void>
}

/** Prepares the text message suite. A text cannot be unsent, so there is nothing to undo. */
export async function createSmsSuiteContext(file: SmsFile): Promise<SmsSuiteContext> {
  const exchanges = createExchangeLog()
  const invalidAccess = withInvalidSecret(file.access)
  const createSender = (access: SmsFile['access']): SmsSender =>
    createSmsSender({
      baseUrl: file.settings['SMS_URL'] ?? '',
      sender: file.settings['SMS_SENDER'] ?? '',
      access: recordExchanges(createCarrierAccess(access), exchanges),
      timeoutMs,
    })
  return {
    file,
    carrier: createSender(file.access),
    stranger: invalidAccess && createSender(invalidAccess),
    exchanges,
    nextReference: createReferenceGenerator(),
    close: async () => {},
  }
}
