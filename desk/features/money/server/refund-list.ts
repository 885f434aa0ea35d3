import type { Clock } from '#kit/server/clock.ts'
import { createCsvContent, csvLine } from '#kit/server/csv.ts'
import type { Db } from '#kit/server/db.ts'
import { formError } from '#kit/server/http-error.ts'
import { paginateRows, type PagePosition } from '#kit/server/pagination.ts'
import type { DeskFile } from '#desk/features/staff/server/file-routes.ts'
import { dayRangeMessages } from '../money.contract.ts'
import type { RefundList, RefundRow } from '../refunds.contract.ts'
import { currentDay, type DayRange, parseDayRange } from './day-range.ts'
import { csvColumns, type ListedRefund, listRefunds, presentCsvRow, presentRefundRow } from './refunds.view.ts'

type RefundListDeps = { db: Db; clock: Clock; zone: string }
type RefundFilter = { of: RefundList; from?: string | undefined; to?: string | undefined }

const pageSize = 50
const batchSize = 1_000

const withPosition = (refund: ListedRefund) => ({ ...refund, at: refund.created_at, key: refund.id })

/**
 * Returns a page of refunds. The filter's days are days by the application's clock, as in the daily totals.
 * @throws 400 if the range of days ends before it starts
 */
export async function listRefundPage(
  deps: RefundListDeps,
  { of, from, to }: RefundFilter,
  before: PagePosition | null,
): Promise<{ refunds: RefundRow[]; next: string | null; today: string }> {
  if (from && to && from > to) throw formError(dayRangeMessages.order)
  const range = { from: startOfDay(deps, from), to: startOfDay(deps, dayAfter(to)) }
  const refunds = await listRefunds(deps.db, { of, ...range, before, limit: pageSize + 1 })
  const { rows, next } = paginateRows(refunds.map(withPosition), pageSize)
  return {
    refunds: rows.map((refund) => presentRefundRow(refund, deps.clock)),
    next,
    today: currentDay(deps).toString(),
  }
}

/**
 * Returns the refunds of a range of days as a CSV file, newest first. The refunds are read while the file is being sent.
 * @throws 400 for an invalid range, too many days, or a future day
 */
export function createRefundsFile(
  deps: RefundListDeps,
  { of, ...range }: { of: RefundList; from: string; to: string },
): DeskFile {
  const days = parseDayRange(range, currentDay(deps))
  return {
    name: `refunds-${range.from}-${range.to}.csv`,
    type: 'text/csv',
    content: createCsvContent(csvLines(deps, of, days)),
  }
}

async function* csvLines(deps: RefundListDeps, of: RefundList, days: DayRange): AsyncGenerator<string> {
  yield csvLine(csvColumns)
  const range = { from: startOfDay(deps, days.from), to: startOfDay(deps, days.to.add({ days: 1 })) }
  let before: PagePosition | null = null
  for (;;) {
    const refunds: ListedRefund[] = await listRefunds(deps.db, { of, ...range, before, limit: batchSize })
    for (const refund of refunds) yield csvLine(presentCsvRow(refund, deps))
    const last = refunds.at(-1)
    if (!last || refunds.length < batchSize) return
    before = withPosition(last)
  }
}

const dayAfter = (day: string | undefined): Temporal.PlainDate | undefined =>
  day === undefined ? undefined : Temporal.PlainDate.from(day).add({ days: 1 })

/** Returns the real time at which a day starts by the application's clock; `null` without a day. */
function startOfDay(
  { clock, zone }: RefundListDeps,
  day: string | Temporal.PlainDate | undefined,
): Temporal.Instant | null {
  if (day === undefined) return null
  const start = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone }).toInstant()
  return start.subtract({ milliseconds: Math.round(clock.offset()) })
}
