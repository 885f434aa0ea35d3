import type { MailSender } from '#providers/mail/mail.port.ts'
import { createSmtpSender } from '#providers/mail/smtp.ts'
import { createReferenceGenerator } from '../reference-generator.ts'
import type { MailFile } from './mail-file.ts'
import { listenForMail, type MailListener } from './mail-listener.ts'

export const timeoutMs = 15_000

export type MailSuiteContext = {
  file: MailFile
  sender: MailSender
  nextReference(): string
  listener: MailListener | null
  close(): Promise<void>
}

/** Prepares the mail suite. An email cannot be unsent, so there is nothing to undo. */
export async function createMailSuiteContext(file: MailFile): Promise<MailSuiteContext> {
  const listener = file.listen ? await listenForMail(file.listen) : null
  return {
    file,
    sender: createSmtpSender({ url: file.settings['SMTP_URL'] ?? '', timeoutMs }),
    nextReference: createReferenceGenerator(),
    listener,
    close: async () => listener?.close(),
  }
}
