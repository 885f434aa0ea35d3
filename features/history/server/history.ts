import { fromDate } from '#kit/server/clock.ts'
import { midnight } from '#kit/server/plan-period.ts'
import { listDocuments, type Document } from '#features/invoices/server/invoices.store.ts'
import { type EndedCycleRow, listEndedCycles } from './cycle-usage.store.ts'
import type { HistoryDeps } from './history.deps.ts'

/** Twelve months of a service, the present one the last. */
export type Year = {
  first: Temporal.PlainDate
  last: Temporal.PlainDate
  /** Oldest first. */
  cycles: EndedCycleRow[]
  months: { month: Temporal.PlainYearMonth; cents: number }[]
}

const monthsOfYear = 12

/** What was used in each cycle that has ended, and what was paid in each month. */
export async function yearOf(
  { db, clock, market: { zone } }: Pick<HistoryDeps, 'db' | 'clock' | 'market'>,
  owner: { userId: string; serviceId: string },
): Promise<Year> {
  const now = clock.now()
  const present = now.toZonedDateTimeISO(zone).toPlainDate().toPlainYearMonth()
  const months = Array.from({ length: monthsOfYear }, (_, at) => present.subtract({ months: monthsOfYear - 1 - at }))
  const first = present.subtract({ months: monthsOfYear - 1 }).toPlainDate({ day: 1 })
  const cycles = await listEndedCycles(db, owner.serviceId, { since: midnight(first, zone), now })
  const documents = await listDocuments(db, owner)
  return {
    first,
    last: present.toPlainDate({ day: present.daysInMonth }),
    cycles: cycles.toReversed(),
    months: months.map((month) => ({ month, cents: spentIn(documents, month, zone) })),
  }
}

/** A credit's amounts are negative. */
const spentIn = (documents: readonly Document[], month: Temporal.PlainYearMonth, zone: string): number =>
  documents
    .filter(({ created_at: at }) =>
      fromDate(at).toZonedDateTimeISO(zone).toPlainDate().toPlainYearMonth().equals(month),
    )
    .reduce((sum, { total_cents: cents }) => sum + cents, 0)
