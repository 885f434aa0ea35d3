import { fromDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import { findNight, insertNight, lastNightDone, type Night, saveProgress } from './nights.store.ts'
import {
  askForRefunds,
  compareFoundBefore,
  compareNotifications,
  comparePage,
  type Reconciled,
} from './reconciliation.ts'
import type { ReconciliationDeps } from './reconciliation.deps.ts'

const hour = 3
const daysOfTheFirst = 7

export function nightOf(now: Temporal.Instant, { zone }: Pick<Market, 'zone'>): string {
  const here = now.toZonedDateTimeISO(zone)
  const today = here.toPlainDate()
  const begins = today.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from({ hour }) })
  return (Temporal.ZonedDateTime.compare(here, begins) < 0 ? today.subtract({ days: 1 }) : today).toString()
}

/**
 * Starts the latest night, unless it was started before. Processes share one row per night. A new installation starts
 * with the next night.
 */
export async function beginNight(deps: ReconciliationDeps): Promise<void> {
  const now = deps.clock.now()
  const night = nightOf(now, deps.market)
  if (await findNight(deps.db, night)) return
  await transact(deps.db, async (trx) => {
    const before = await lastNightDone(trx)
    const since = before
      ? fromDate(before.begun_at).subtract({ hours: deps.thresholds.nightOverlapHours })
      : now.subtract({ hours: 24 * daysOfTheFirst })
    await insertNight(trx, deps, { night, since, isOver: !before })
  })
}

export async function continueNight(deps: ReconciliationDeps, name: string): Promise<void> {
  const night = await findNight(deps.db, name)
  if (!night?.retry_at) return
  const found: Reconciled[] = []
  if (night.checked === 0) {
    for await (const each of askForRefunds(deps)) found.push(each)
    found.push(...(await compareFoundBefore(deps, fromDate(night.since))))
  }
  const { orders, told } = await comparePage(deps, {
    since: fromDate(night.since),
    after: night.after_at && night.after_id ? { created_at: night.after_at, id: night.after_id } : null,
    limit: deps.thresholds.nightOrders,
  })
  found.push(...told)
  const isOver = orders.length < deps.thresholds.nightOrders
  if (isOver) for await (const each of compareNotifications(deps, fromDate(night.since))) found.push(each)
  const last = orders.at(-1)
  const saved = await saveProgress(
    deps.db,
    night,
    {
      after_at: last?.created_at ?? night.after_at,
      after_id: last?.id ?? night.after_id,
      checked: night.checked + orders.length,
      findings: night.findings + found.filter((each) => 'finding' in each).length,
      silent: night.silent + found.filter((each) => 'silent' in each).length,
    },
    { isOver, pauseMs: deps.thresholds.nightPauseMs },
  )
  if (saved?.done_at) tell(deps, saved)
}

function tell({ log }: ReconciliationDeps, { night, since, checked, findings, silent }: Night): void {
  log.info(
    { night, since: since.toISOString(), orders: checked, findings, silent },
    'what was sold was compared with the providers’ books',
  )
}
