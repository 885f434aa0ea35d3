import { centsToDecimal } from '#kit/contract/money.ts'
import { createCsvContent, csvLine } from '#kit/server/csv.ts'
import type { DeskFile } from '#desk/features/staff/server/file-routes.ts'
import { findFirstSaleDay } from '#desk/features/today/server/figures.view.ts'
import type { DailyTotals } from '../money.contract.ts'
import { currentDay, lengthInDays, parseDayRange } from './day-range.ts'
import { type DailyMoneyDeps, type DailyMoneyTotals, sumMoneyByDay } from './daily-totals.view.ts'

const pageSize = 7
const batchSize = 31

export async function readDailyTotalsPage(deps: DailyMoneyDeps, before: string | undefined) {
  const today = currentDay(deps)
  const requestedDay = before ? Temporal.PlainDate.from(before).subtract({ days: 1 }) : today
  const last = Temporal.PlainDate.compare(requestedDay, today) > 0 ? today : requestedDay
  const first = (await findFirstSaleDay(deps.db, deps.zone)) ?? today
  const pageDays = Array.from({ length: pageSize }, (_, at) => last.subtract({ days: pageSize - 1 - at })).filter(
    (day) => Temporal.PlainDate.compare(day, first) >= 0,
  )
  const days = (await sumMoneyByDay(deps, pageDays)).toReversed()
  const oldestDay = pageDays[0]
  const hasMore = oldestDay !== undefined && Temporal.PlainDate.compare(oldestDay, first) > 0
  return {
    days: days.map((each) => presentDayTotals(each, today)),
    next: hasMore ? oldestDay.toString() : null,
    today: today.toString(),
  }
}

function presentDayTotals(row: DailyMoneyTotals, today: Temporal.PlainDate): DailyTotals {
  const sum = ({ count, cents }: DailyMoneyTotals['byCard']) => ({ count, amount: centsToDecimal(cents) })
  return {
    day: row.day.toString(),
    is_today: row.day.equals(today),
    taken: centsToDecimal(row.takenCents),
    given: centsToDecimal(row.givenCents),
    disputed: centsToDecimal(row.disputedCents),
    activations: sum(row.activations),
    renewals: sum(row.renewals),
    addons: sum(row.addons),
    by_card: sum(row.byCard),
    by_voucher: row.byVoucher,
  }
}

/**
 * Returns a CSV file of the figures for a range of days. The figures are counted while the file is being sent.
 * @throws 400 for an invalid range, too many days, or a future day
 */
export function createDailyTotalsFile(
  deps: DailyMoneyDeps,
  currency: string,
  range: { from: string; to: string },
): DeskFile {
  const dayRange = parseDayRange(range, currentDay(deps))
  const days = Array.from({ length: lengthInDays(dayRange) }, (_, at) => dayRange.from.add({ days: at }))
  return {
    name: `days-${range.from}-${range.to}.csv`,
    type: 'text/csv',
    content: createCsvContent(csvLines(deps, currency, days)),
  }
}

const columns = [
  'day',
  'currency',
  'taken',
  'given back',
  'disputed',
  'fees',
  'activations',
  'activations taken',
  'renewals',
  'renewals taken',
  'add-ons',
  'add-ons taken',
  'by card',
  'by voucher',
]

async function* csvLines(deps: DailyMoneyDeps, currency: string, days: Temporal.PlainDate[]): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let at = 0; at < days.length; at += batchSize)
    for (const row of await sumMoneyByDay(deps, days.slice(at, at + batchSize)))
      yield csvLine([
        row.day.toString(),
        currency,
        ...[row.takenCents, row.givenCents, row.disputedCents].map(centsToDecimal),
        // The gateway reports its fees only in its own settlement report, so they are unknown here.
        'unknown',
        ...[row.activations, row.renewals, row.addons].flatMap(({ count, cents }) => [
          String(count),
          centsToDecimal(cents),
        ]),
        String(row.byCard.count),
        String(row.byVoucher),
      ])
}
