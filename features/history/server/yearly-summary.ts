import { transact, type Trx } from '#kit/server/db.ts'
import { nextOpening } from '#kit/server/reminder-hours.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { listServicesEver } from '#features/services/server/own-service.store.ts'
import { listServicesOf } from '#features/services/server/services.store.ts'
import { fewest } from './advice.ts'
import type { HistoryDeps } from './history.deps.ts'
import { yearOf } from './history.ts'
import { adviceFor, plansOnOffer } from './plan-advice.ts'
import { wordsOf } from './advice-words.ts'
import { insertSummaries, lockDueSummary, putOffSummary } from './yearly-summaries.store.ts'
import { sendYearlySummary, type YearOfNumber } from './yearly-summary.mail.ts'

export function aYearAfter(at: Temporal.Instant, zone: string): Temporal.Instant {
  const day = at.toZonedDateTimeISO(zone).toPlainDate().add({ years: 1 })
  return day.toZonedDateTime({ timeZone: zone, plainTime: { hour: 10 } }).toInstant()
}

export const expectSummaries = (
  trx: Trx,
  { clock, market }: HistoryDeps,
  serviceIds: readonly string[],
): Promise<void> => insertSummaries(trx, serviceIds, aYearAfter(clock.now(), market.zone))

export async function sendDueSummaries(deps: HistoryDeps, now: Temporal.Instant): Promise<void> {
  while (await transact(deps.db, (trx) => sendOne(trx, deps, now))) continue
}

async function sendOne(trx: Trx, deps: HistoryDeps, now: Temporal.Instant): Promise<boolean> {
  const due = await lockDueSummary(trx, now)
  if (!due) return false
  const { zone } = deps.market
  const opening = nextOpening(now, zone)
  // No mail is sent at night, and a summary that was missed for a year is not sent later.
  await putOffSummary(trx, due.userId, opening ?? aYearAfter(now, zone))
  const user = await findUser(trx, due.userId)
  if (opening || !user) return true
  const numbers = await yearsOf(trx, deps, user.id)
  const known = numbers.flatMap(({ year }) => year.cycles.filter(({ used_mb: mb }) => mb !== null))
  if (known.length >= fewest) await sendYearlySummary(trx, deps, { user, numbers, dueAt: due.dueAt })
  return true
}

async function yearsOf(trx: Trx, deps: HistoryDeps, userId: string): Promise<YearOfNumber[]> {
  const inside = { ...deps, db: trx }
  const offers = await plansOnOffer(inside)
  const plans = new Map((await listServicesOf(trx, userId)).map((service) => [service.id, service.product_id]))
  const years: YearOfNumber[] = []
  for (const { id, msisdn } of await listServicesEver(trx, userId)) {
    const year = await yearOf(inside, { userId, serviceId: id })
    if (year.cycles.length === 0 && year.months.every(({ cents }) => cents === 0)) continue
    const productId = plans.get(id)
    const found = productId ? await adviceFor(inside, { id, userId, productId }, offers) : null
    // Only a cheaper plan is mentioned. A more expensive plan would be advertising.
    const isLess = found?.advice.kind === 'less'
    years.push({ id, msisdn, year, lessWords: isLess ? wordsOf(found.advice, found.plan).replaceAll('**', '') : null })
  }
  return years
}
