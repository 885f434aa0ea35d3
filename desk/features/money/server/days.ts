import { Readable } from 'node:stream'
import { toWire } from '#kit/contract/money.ts'
import { csvLine } from '#kit/server/csv.ts'
import { invalid } from '#kit/server/refusal.ts'
import type { DeskFile } from '#desk/features/staff/server/file-routes.ts'
import { firstDay } from '#desk/features/today/server/figures.view.ts'
import { type DayRow, daysMessages, mostDays } from '../money.contract.ts'
import { type DaysDeps, type MoneyDay, moneyOfDays } from './days.view.ts'

const aPage = 7
const atOnce = 31

const todayIn = ({ clock, zone }: DaysDeps): Temporal.PlainDate => clock.now().toZonedDateTimeISO(zone).toPlainDate()

export async function pageOfDays(deps: DaysDeps, before: string | undefined) {
  const today = todayIn(deps)
  const asked = before ? Temporal.PlainDate.from(before).subtract({ days: 1 }) : today
  const last = Temporal.PlainDate.compare(asked, today) > 0 ? today : asked
  const first = (await firstDay(deps.db, deps.zone)) ?? today
  const wanted = Array.from({ length: aPage }, (_, at) => last.subtract({ days: aPage - 1 - at })).filter(
    (day) => Temporal.PlainDate.compare(day, first) >= 0,
  )
  const days = (await moneyOfDays(deps, wanted)).toReversed()
  const oldest = wanted[0]
  const hasMore = oldest !== undefined && Temporal.PlainDate.compare(oldest, first) > 0
  return {
    days: days.map((each) => presentDay(each, today)),
    next: hasMore ? oldest.toString() : null,
    today: today.toString(),
  }
}

function presentDay(row: MoneyDay, today: Temporal.PlainDate): DayRow {
  const sum = ({ count, cents }: MoneyDay['byCard']) => ({ count, amount: toWire(cents) })
  return {
    day: row.day.toString(),
    is_today: row.day.equals(today),
    taken: toWire(row.takenCents),
    given: toWire(row.givenCents),
    disputed: toWire(row.disputedCents),
    activations: sum(row.activations),
    renewals: sum(row.renewals),
    addons: sum(row.addons),
    by_card: sum(row.byCard),
    by_voucher: row.byVoucher,
  }
}

/**
 * A range of days as a CSV file, counted while it is sent. @throws 400 for an invalid range, too many days, or a
 * future day
 */
export function daysFile(deps: DaysDeps, currency: string, range: { from: string; to: string }): DeskFile {
  const [from, to] = [Temporal.PlainDate.from(range.from), Temporal.PlainDate.from(range.to)]
  if (Temporal.PlainDate.compare(from, to) > 0) throw invalid({ to: [daysMessages.order] })
  if (Temporal.PlainDate.compare(to, todayIn(deps)) > 0) throw invalid({ to: [daysMessages.future] })
  const count = from.until(to, { largestUnit: 'days' }).days + 1
  if (count > mostDays) throw invalid({ to: [daysMessages.tooMany] })
  const days = Array.from({ length: count }, (_, at) => from.add({ days: at }))
  return {
    name: `days-${range.from}-${range.to}.csv`,
    type: 'text/csv',
    content: Readable.from(linesOf(deps, currency, days)),
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

async function* linesOf(deps: DaysDeps, currency: string, days: Temporal.PlainDate[]): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let at = 0; at < days.length; at += atOnce)
    for (const row of await moneyOfDays(deps, days.slice(at, at + atOnce)))
      yield csvLine([
        row.day.toString(),
        currency,
        ...[row.takenCents, row.givenCents, row.disputedCents].map(toWire),
        // The gateway reports its fees only in its own settlement report.
        'unknown',
        ...[row.activations, row.renewals, row.addons].flatMap(({ count, cents }) => [String(count), toWire(cents)]),
        String(row.byCard.count),
        String(row.byVoucher),
      ])
}
