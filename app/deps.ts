import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { ActivationDeps } from '#features/activation/server/activation.deps.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'

/** Everything the slices work with. Each takes from it what it declares. */
export type Deps = ActivationDeps & AuthDeps & {
  mail: MailSender
  mailFrom: string
  /** Where the providers are: for checks and for tests. */
  outside: { cardUrl: string; networkUrl: string }
  /** What every page carries, but for the time. */
  bootstrap: Omit<Bootstrap, 'serverTime'>
}
