import type { MailSender } from '#providers/mail/mail.port.ts'
import { createSmtpSender } from '#providers/mail/smtp.ts'
import { createReferences } from '../references.ts'
import type { MailFile } from './mail-file.ts'
import { listenForMail, type MailListener } from './mail-listener.ts'

export const timeoutMs = 15_000

export type MailWorld = {
  file: MailFile
  sender: MailSender
  nextReference(): string
  listener: MailListener | null
  close(): Promise<void>
}

/** Prepares the mail suite. An email cannot be unsent, so there is nothing to undo. */
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
