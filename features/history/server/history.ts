import { getMidnight } from '#kit/server/plan-period.ts'
import { sumSpentByMonth } from '#features/invoices/server/invoices.store.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { maxCycles } from '../history.contract.ts'
import { type EndedCycleRow, listEndedCycles, listEndedCyclesAfter } from './cycle-usage.store.ts'
import type { HistoryDeps } from './history.deps.ts'

export type YearlyUsage = {
  first: Temporal.PlainDate
  last: Temporal.PlainDate
  cycles: EndedCycleRow[]
  months: { month: Temporal.PlainYearMonth; cents: number }[]
}

const monthsPerYear = 12

export async function readYearlyUsage(
  { db, clock, market: { zone } }: Pick<HistoryDeps, 'db' | 'clock' | 'market'>,
  owner: { userId: string; serviceId: string },
): Promise<YearlyUsage> {
  const now = clock.now()
  const currentMonth = now.toZonedDateTimeISO(zone).toPlainDate().toPlainYearMonth()
  const months = Array.from({ length: monthsPerYear }, (_, at) =>
    currentMonth.subtract({ months: monthsPerYear - 1 - at }),
  )
  const firstDay = currentMonth.subtract({ months: monthsPerYear - 1 }).toPlainDate({ day: 1 })
  const cycles = await listEndedCycles(db, owner.serviceId, {
    since: getMidnight(firstDay, zone),
    now,
    limit: maxCycles,
  })
  const spentPerMonth = await sumSpentByMonth(
    db,
    owner,
    months.map((month) => getMidnight(month.toPlainDate({ day: 1 }), zone)),
  )
  return {
    first: firstDay,
    last: currentMonth.toPlainDate({ day: currentMonth.daysInMonth }),
    cycles: cycles.toReversed(),
    months: months.map((month, at) => ({ month, cents: spentPerMonth[at] ?? 0 })),
  }
}

export async function* readEndedCycles(
  { db, clock, market: { zone } }: Pick<HistoryDeps, 'db' | 'clock' | 'market'>,
  serviceId: string,
  first: string,
): AsyncGenerator<EndedCycleRow[]> {
  const period = { since: getMidnight(Temporal.PlainDate.from(first), zone), now: clock.now(), limit: maxCycles }
  let lastCycle: EndedCycleRow | undefined
  do {
    const page: EndedCycleRow[] = await listEndedCyclesAfter(db, serviceId, {
      ...period,
      after: lastCycle?.starts_at ?? new Date(0),
    })
    yield page
    // The embedded database never yields to the event loop during a query, so yield here to let other requests run.
    await nextTurn()
    lastCycle = page.length === maxCycles ? page.at(-1) : undefined
  } while (lastCycle)
}
