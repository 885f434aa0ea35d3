import type { MailSender } from '#providers/mail/mail.port.ts'
import { createSmtpSender } from '#providers/mail/smtp.ts'
import { createReferences } from '../references.ts'
import type { MailFile } from './mail-file.ts'
import { listenForMail, type MailListener } from './mail-listener.ts'

/** As the product has it. */
export const timeoutMs = 15_000

export type MailWorld = {
  file: MailFile
  sender: MailSender
  nextReference(): string
  listener: MailListener | null
  close(): Promise<void>
}

/** Opens the way to a relay, and a mailbox where the file has a place for it. A mail cannot be taken back: nothing is noted for that. */
export async function openMailWorld(file: MailFile): Promise<MailWorld> {
  const listener = file.listen ? await listenForMail(file.listen) : null
  return {
    file,
    sender: createSmtpSender({ url: file.settings['SMTP_URL'] ?? '', timeoutMs }),
    nextReference: createReferences(),
    listener,
    close: async () => listener?.close(),
  }
}
