import type { MailConfig } from '#kit/server/config/service-configs.ts'
import { isLoopbackHost } from '#kit/server/host.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import { createSmtpSender } from '#providers/mail/smtp.ts'

/** Creates the mail sender. `requireTls` applies only if the mail relay is on a different machine. */
export const createMailSender = (
  { smtpUrl: url }: Pick<MailConfig, 'smtpUrl'>,
  { requireTls }: { requireTls: boolean },
): MailSender => createSmtpSender({ url, requireTls, isOnThisMachine: isLoopbackHost(new URL(url).hostname) })
