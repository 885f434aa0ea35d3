import type { MailConfig } from '#kit/server/config/services.ts'
import { isThisMachine } from '#kit/server/host.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import { createSmtpSender } from '#providers/mail/smtp.ts'

/** The relay of the settings. One on this machine needs no TLS; `requireTls`: any other one does. */
export const mailSenderOf = (
  { smtpUrl: url }: Pick<MailConfig, 'smtpUrl'>,
  { requireTls }: { requireTls: boolean },
): MailSender => createSmtpSender({ url, requireTls, isOnThisMachine: isThisMachine(new URL(url).hostname) })
