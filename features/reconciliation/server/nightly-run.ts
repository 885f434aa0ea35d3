import { fromDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import {
  findNightlyRun,
  insertNightlyRun,
  findLastCompletedRun,
  type NightlyRun,
  saveProgress,
} from './nightly-runs.store.ts'
import {
  retryOpenRefunds,
  recheckOpenFindings,
  compareNotifications,
  comparePage,
  type ReconciliationResult,
} from './reconciliation.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

const startHour = 3
const firstRunLookbackDays = 7

export function getNightlyRunName(now: Temporal.Instant, { zone }: Pick<Market, 'zone'>): string {
  const localNow = now.toZonedDateTimeISO(zone)
  const today = localNow.toPlainDate()
  const beginsAt = today.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from({ hour: startHour }) })
  return (Temporal.ZonedDateTime.compare(localNow, beginsAt) < 0 ? today.subtract({ days: 1 }) : today).toString()
}

/**
 * Starts the latest night's reconciliation, unless it has already started. All processes share one row per night. A new
 * installation starts with the coming night.
 */
export async function beginNightlyRun(deps: ReconciliationDeps): Promise<void> {
  const now = deps.clock.now()
  const runName = getNightlyRunName(now, deps.market)
  if (await findNightlyRun(deps.db, runName)) return
  await transact(deps.db, async (trx) => {
    const lastRun = await findLastCompletedRun(trx)
    const since = lastRun
      ? fromDate(lastRun.begun_at).subtract({ hours: deps.thresholds.nightOverlapHours })
      : now.subtract({ hours: 24 * firstRunLookbackDays })
    await insertNightlyRun(trx, deps, { night: runName, since, isOver: !lastRun })
  })
}

export async function continueNightlyRun(deps: ReconciliationDeps, name: string): Promise<void> {
  const nightlyRun = await findNightlyRun(deps.db, name)
  if (!nightlyRun?.retry_at) return
  const reconciliationResults: ReconciliationResult[] = []
  if (nightlyRun.checked === 0) {
    for await (const each of retryOpenRefunds(deps)) reconciliationResults.push(each)
    reconciliationResults.push(...(await recheckOpenFindings(deps, fromDate(nightlyRun.since))))
  }
  const { orders, told } = await comparePage(deps, {
    since: fromDate(nightlyRun.since),
    after:
      nightlyRun.after_at && nightlyRun.after_id ? { created_at: nightlyRun.after_at, id: nightlyRun.after_id } : null,
    limit: deps.thresholds.nightOrders,
  })
  reconciliationResults.push(...told)
  const isLastPage = orders.length < deps.thresholds.nightOrders
  if (isLastPage)
    for await (const each of compareNotifications(deps, fromDate(nightlyRun.since))) reconciliationResults.push(each)
  const lastOrder = orders.at(-1)
  const savedRun = await saveProgress(
    deps.db,
    nightlyRun,
    {
      after_at: lastOrder?.created_at ?? nightlyRun.after_at,
      after_id: lastOrder?.id ?? nightlyRun.after_id,
      checked: nightlyRun.checked + orders.length,
      findings: nightlyRun.findings + reconciliationResults.filter((each) => 'finding' in each).length,
      silent: nightlyRun.silent + reconciliationResults.filter((each) => 'silent' in each).length,
    },
    { isOver: isLastPage, pauseMs: deps.thresholds.nightPauseMs },
  )
  if (savedRun?.done_at) logSummary(deps, savedRun)
}

function logSummary({ log }: ReconciliationDeps, { night, since, checked, findings, silent }: NightlyRun): void {
  log.info(
    { night, since: since.toISOString(), orders: checked, findings, silent },
    'the orders were compared with the providers’ records',
  )
}
