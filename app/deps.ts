import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { AlertsDeps } from '#features/alerts/server/alerts.deps.ts'
import type { StepDeps } from '#features/auto-renewal/server/step-facts.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import type { ActivationDeps } from '#features/activation/server/activation.deps.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import type { ErrorReportsDeps } from '#features/error-reports/server/error-reports.deps.ts'
import type { ServerErrorForwarder } from '#features/error-reports/server/forward-server-errors.ts'
import type { HistoryDeps } from '#features/history/server/history.deps.ts'
import type { ConditionSubject } from '#features/messages/server/messages.store.ts'
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
    again?: string
    mail: MailSender
    mailFrom: string
    /** Number of unused SIM packs below which staff get a task. 0 turns these tasks off. */
    simStockLevel: number
    sms: SmsSender
    /**
     * Reads each message's current send condition, in the order of `messages`. `null` if whatever the message is about
     * no longer exists.
     */
    readSendConditions(
      db: Db | Trx,
      messages: readonly ConditionSubject[],
      now: Temporal.Instant,
    ): Promise<(string | null)[]>
    attachmentOf(ref: string): Promise<Attachment>
    deskUrl: string | null
    /**
     * Reads the catalogue again from the provider's folder (`PROVIDER_DIR`).
     * @throws ConfigError that lists every fault in the folder
     */
    readCatalogue(): Catalogue
    outside: { cardUrl: string; networkUrl: string }
    /** Forwards a server error to the error-reporting service. The caller must already have logged the error. */
    passOnError: ServerErrorForwarder
    bootstrap: Omit<Bootstrap, 'serverTime' | 'zoneClock'>
  }
