import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { AlertsDeps } from '#features/alerts/server/alerts.deps.ts'
import type { StepDeps } from '#features/auto-renewal/server/step-facts.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { ActivationDeps } from '#features/activation/server/activation.deps.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import type { ErrorReportsDeps } from '#features/error-reports/server/error-reports.deps.ts'
import type { PassOnError } from '#features/error-reports/server/own-errors.ts'
import type { HistoryDeps } from '#features/history/server/history.deps.ts'
import type { AboutMessage } from '#features/messages/server/messages.store.ts'
import type { OperatorTasksDeps } from '#features/operator-tasks/server/operator-tasks.deps.ts'
import type { OwnNumberDeps } from '#features/services/server/own-number.deps.ts'
import type { ServicesDeps } from '#features/services/server/services.deps.ts'
import type { ReconciliationDeps } from '#features/reconciliation/server/reconciliation.deps.ts'
import type { Catalogue } from '#features/plans/server/plans.store.ts'
import type { PaymentMethodDeps } from '#features/payment-method/server/payment-method.deps.ts'
import type { PlanLifeDeps } from '#features/services/server/plan-life.deps.ts'
import type { PrivacyDeps } from '#features/privacy/server/privacy.deps.ts'
import type { UsageDeps } from '#features/usage/server/usage.deps.ts'
import type { Attachment, MailSender } from '#providers/mail/mail.port.ts'
import type { SmsSender } from '#providers/sms/sms.port.ts'

/** Everything the slices work with. Each takes from it what it declares. */
export type Deps = UsageDeps &
  HistoryDeps &
  OwnNumberDeps &
  PlanLifeDeps &
  ActivationDeps &
  AuthDeps &
  PaymentMethodDeps &
  CustomersDeps &
  StepDeps &
  AlertsDeps &
  PrivacyDeps &
  ServicesDeps &
  ErrorReportsDeps &
  OperatorTasksDeps &
  ReconciliationDeps & {
    /** While a message is composed anew: names that wish. */
    again?: string
    mail: MailSender
    mailFrom: string
    /** With fewer unused SIM packs than this a person is told; 0: never. */
    simStockLevel: number
    sms: SmsSender
    /** What messages about services rest on at an instant, each in its place; null: nothing is left of it. */
    premisesOf(db: Db | Trx, messages: readonly AboutMessage[], now: Temporal.Instant): Promise<(string | null)[]>
    /** The file that a mail names as its attachment. */
    attachmentOf(ref: string): Promise<Attachment>
    /** Origin of the staff's desk; null: there is none. */
    deskUrl: string | null
    /** The catalogue in the provider's folder as it is now. @throws ConfigFault with every fault of the folder */
    readCatalogue(): Catalogue
    /** Where the providers are: for checks and for tests. */
    outside: { cardUrl: string; networkUrl: string }
    /** Tells the error-reporting service, if there is one, of an error of our own; it is in the log already. */
    passOnError: PassOnError
    /** What every page carries, but for the time. */
    bootstrap: Omit<Bootstrap, 'serverTime' | 'zoneClock'>
  }
