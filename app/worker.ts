import type { DatabaseOutageLog } from '#kit/server/database-unavailable.ts'
import { evaluateDueConditions } from '#kit/server/due-conditions.ts'
import { purgeBrowserLoginFailures } from '#kit/server/browser-login-failures.ts'
import { purgeOldLimitCounts } from '#kit/server/limits.ts'
import { purgeOldSessions } from '#kit/server/session.ts'
import { withTimeouts, bulkTimeouts } from '#kit/server/database-timeouts.ts'
import type { JobDefinition } from '#kit/server/jobs.ts'
import { idlePollMs, startSweeping, type Sweep, type Upkeep } from '#kit/server/sweeps.ts'
import { activationSweeps, activationUpkeep } from '#features/activation/server/activation.jobs.ts'
import { alertJobs, alertSweeps, alertUpkeep } from '#features/alerts/server/alerts.jobs.ts'
import { passwordJobs, passwordUpkeep } from '#features/auth/server/password-reset.jobs.ts'
import {
  changeEmailJobs,
  changeEmailSweeps,
  changeEmailUpkeep,
} from '#features/change-email/server/change-email.jobs.ts'
import { erasureJobs, erasureUpkeep } from '#features/customers/server/erasures.jobs.ts'
import { errorReportJobs } from '#features/error-reports/server/error-reports.jobs.ts'
import { historyJobs, historySweeps, historyUpkeep } from '#features/history/server/history.jobs.ts'
import { messageJobs, messageSweeps, messageUpkeep } from '#features/messages/server/messages.jobs.ts'
import { purgeOldMessages } from '#features/messages/server/messages.store.ts'
import { operatorTasksUpkeep } from '#features/operator-tasks/server/operator-tasks.jobs.ts'
import { purgeOldMinuteStats } from '#features/operator-tasks/server/provider-minute-recorder.ts'
import { orderSweeps, orderJobs, orderUpkeep } from '#features/orders/server/orders.jobs.ts'
import { paymentMethodJobs, paymentMethodUpkeep } from '#features/payment-method/server/payment-method.jobs.ts'
import { catalogueSweep } from '#features/plans/server/catalogue.jobs.ts'
import { portingJobs, portingUpkeep, stalledPortsUpkeep } from '#features/porting/server/porting.jobs.ts'
import { erasureSweeps } from '#features/privacy/server/erasure.jobs.ts'
import { purgeRefusedPayments } from '#features/refused-payments/server/refused-payments.store.ts'
import { reconciliationJobs, reconciliationUpkeep } from '#features/reconciliation/server/reconciliation.jobs.ts'
import { refundJobs, refundUpkeep } from '#features/refunds/server/refunds.jobs.ts'
import { planLifeSweeps, planLifeJobs, planLifeUpkeep } from '#features/services/server/plan-life.jobs.ts'
import { autoRenewalSweeps } from '#features/auto-renewal/server/auto-renewal.jobs.ts'
import { stockJobs, stockUpkeep } from '#features/stock/server/stock.jobs.ts'
import { purgeReadings } from '#features/usage/server/readings.store.ts'
import { voucherBatchUpkeep } from '#features/vouchers/server/voucher-batches.jobs.ts'
import { createGrantHandlers } from '#desk/app/desk-routes.ts'
import { applyDueGrants } from '#desk/features/approvals/server/due-grants.ts'
import { alertMailUpkeep } from '#desk/features/access-alerts/server/alert-mails.ts'
import { drawWeeklySample } from '#desk/features/access-reviews/server/access-reviews.ts'
import { purgeReviews } from '#desk/features/access-reviews/server/access-reviews.store.ts'
import { purgeAccess } from '#desk/features/staff/server/access.store.ts'
import { purgeStaffSessions } from '#desk/features/staff/server/sessions.store.ts'
import { dailyFiguresSweep } from '#desk/features/today/server/daily-figures.ts'
import type { Deps } from './deps.ts'
import { createDrainTasks } from './drain-queue.ts'
import { schemaUpkeep } from './prepare-database.ts'
import { relayUpkeep } from './relay-outages.ts'
import { resealAllColumns } from './reseal.ts'
import { type ProcessObserver, observeTasks } from './watching/process-observer.ts'
import { createFailureHandlers } from './work-failures.ts'

export const jobs = (deps: Deps): JobDefinition[] => [
  ...orderJobs(deps),
  ...portingJobs(deps),
  ...passwordJobs(deps),
  ...changeEmailJobs(deps),
  ...messageJobs(deps),
  ...planLifeJobs(deps),
  ...paymentMethodJobs(deps),
  ...refundJobs(deps),
  ...reconciliationJobs(deps),
  ...errorReportJobs(deps),
  ...erasureJobs(deps),
  ...stockJobs(deps),
  ...alertJobs(deps),
  ...historyJobs(deps),
]

export const createUpkeepTasks = (deps: Deps): Upkeep[] => [
  ...orderUpkeep(deps),
  portingUpkeep(deps),
  stalledPortsUpkeep(deps),
  messageUpkeep(deps),
  ...passwordUpkeep(deps),
  changeEmailUpkeep(deps),
  relayUpkeep(deps.db),
  ...paymentMethodUpkeep(deps),
  planLifeUpkeep(deps),
  refundUpkeep(deps),
  ...reconciliationUpkeep(deps),
  /*
   * After the secret key is changed, a process that still has the previous key may encrypt more values. This upkeep
   * re-encrypts them with the new key.
   */
  { name: 'secrets.previous', everyMs: 3_600_000, run: () => resealAllColumns(deps) },
  schemaUpkeep(deps.db),
  erasureUpkeep(deps),
  ...stockUpkeep(deps),
  voucherBatchUpkeep(deps),
  ...operatorTasksUpkeep(deps),
  alertMailUpkeep(deps),
  ...[
    alertUpkeep(deps),
    ...historyUpkeep(deps),
    { name: 'usage.old', everyMs: 300_000, run: () => purgeReadings(deps.db) },
    activationUpkeep(deps),
    { name: 'limits.old', everyMs: 3_600_000, run: () => purgeOldLimitCounts(deps.db) },
    { name: 'browser-failures.old', everyMs: 3_600_000, run: () => purgeBrowserLoginFailures(deps.db) },
    { name: 'refused-payments.old', everyMs: 3_600_000, run: () => purgeRefusedPayments(deps.db) },
    { name: 'messages.old', everyMs: 3_600_000, run: () => purgeOldMessages(deps.db) },
    { name: 'desk.sessions.old', everyMs: 3_600_000, run: () => purgeStaffSessions(deps.db) },
    { name: 'provider-minutes.old', everyMs: 3_600_000, run: () => purgeOldMinuteStats(deps.db) },
    { name: 'desk.grants.due', everyMs: 30_000, run: () => applyDueGrants(deps, createGrantHandlers(deps)) },
    { name: 'desk.checks.drawn', everyMs: 3_600_000, run: () => drawWeeklySample(deps) },
    { name: 'desk.checks.old', everyMs: 3_600_000, run: () => purgeReviews(deps.db) },
    { name: 'desk.access.old', everyMs: 3_600_000, run: () => purgeAccess(deps.db) },
    { name: 'sessions.old', everyMs: 3_600_000, run: () => purgeOldSessions(deps.db) },
  ].map((task) => ({ ...task, run: () => withTimeouts(bulkTimeouts, task.run) })),
]

export const createSweeps = (deps: Deps): Sweep[] => [
  ...activationSweeps(deps),
  ...orderSweeps(deps),
  ...changeEmailSweeps(deps),
  ...planLifeSweeps(deps),
  ...autoRenewalSweeps(deps),
  ...messageSweeps(deps),
  ...alertSweeps(deps),
  ...historySweeps(deps),
  ...erasureSweeps(deps),
  catalogueSweep(deps),
  dailyFiguresSweep(deps),
]

const pollIntervals = { quickMs: 250, slowMs: idlePollMs }

export type Work = Pick<ReturnType<typeof startSweeping>, 'isTurning' | 'secondsSinceTurn' | 'stop'>

type WorkerOptions = {
  works: boolean
  isAlone: boolean
  away: DatabaseOutageLog
  watches: readonly ProcessObserver[]
  upkeep?: readonly Upkeep[]
}

export async function startWorker(
  deps: Deps,
  { works, isAlone, away, watches, upkeep: own = [] }: WorkerOptions,
): Promise<Work> {
  const { watched: told, upkeepFailed, jobFailed } = createFailureHandlers(deps, away)
  const taskObserver = observeTasks(watches)
  deps.jobs.work(taskObserver.jobs(works ? jobs(deps) : errorReportJobs(deps)), jobFailed)
  const sharedUpkeep = works
    ? [...createUpkeepTasks(deps), ...(await createDrainTasks(deps, { isAlone, onError: upkeepFailed }))]
    : []
  const tasks = {
    sweeps: works ? taskObserver.sweeps(told(createSweeps(deps))) : [],
    upkeep: taskObserver.upkeep(told([...own, ...sharedUpkeep])),
  }
  const pollingOptions = { ask: evaluateDueConditions(deps.db), ...pollIntervals, isLively: deps.jobs.isLively }
  return startSweeping(deps.clock, { ...tasks, onError: upkeepFailed }, pollingOptions)
}
