import type { MailConfig } from '#kit/server/config/services.ts'
import { isThisMachine } from '#kit/server/host.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import { createSmtpSender } from '#providers/mail/smtp.ts'

/** `requireTls` applies to a relay on another machine only. */
export const mailSenderOf = (
  { smtpUrl: url }: Pick<MailConfig, 'smtpUrl'>,
  { requireTls }: { requireTls: boolean },
): MailSender => createSmtpSender({ url, requireTls, isOnThisMachine: isThisMachine(new URL(url).hostname) })
