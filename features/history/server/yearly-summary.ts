import { transact, type Trx } from '#kit/server/db.ts'
import { computeNextSendingTime } from '#kit/server/sending-hours.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { listCurrentAndFormerServices } from '#features/services/server/own-service.store.ts'
import { listUserServices } from '#features/services/server/services.store.ts'
import { minKnownCycles } from './advice.ts'
import type { HistoryDeps } from './history.deps.ts'
import { readYearlyUsage } from './history.ts'
import { findPlanAdvice, listPlansOnOffer } from './plan-advice.ts'
import { describeAdvice } from './advice.labels.ts'
import { insertSummaries, lockDueSummary, postponeSummary } from './yearly-summaries.store.ts'
import { sendYearlySummary, type NumberSummary } from './yearly-summary.mail.ts'

export function oneYearAfter(at: Temporal.Instant, zone: string): Temporal.Instant {
  const day = at.toZonedDateTimeISO(zone).toPlainDate().add({ years: 1 })
  return day.toZonedDateTime({ timeZone: zone, plainTime: { hour: 10 } }).toInstant()
}

export const scheduleSummaries = (
  trx: Trx,
  { clock, market }: HistoryDeps,
  serviceIds: readonly string[],
): Promise<void> => insertSummaries(trx, serviceIds, oneYearAfter(clock.now(), market.zone))

export async function sendDueSummaries(deps: HistoryDeps, now: Temporal.Instant): Promise<void> {
  while (await transact(deps.db, (trx) => sendDueSummary(trx, deps, now))) continue
}

async function sendDueSummary(trx: Trx, deps: HistoryDeps, now: Temporal.Instant): Promise<boolean> {
  const dueSummary = await lockDueSummary(trx, now)
  if (!dueSummary) return false
  const { zone } = deps.market
  const sendingTime = computeNextSendingTime(now, zone)
  // At night, postpone the mail to the morning. Otherwise schedule next year's mail, even if this year's is skipped.
  await postponeSummary(trx, dueSummary.userId, sendingTime ?? oneYearAfter(now, zone))
  const user = await findUser(trx, dueSummary.userId)
  if (sendingTime || !user) return true
  const numbers = await readNumberSummaries(trx, deps, user.id)
  const knownCycles = numbers.flatMap(({ year }) => year.cycles.filter(({ used_mb: mb }) => mb !== null))
  if (knownCycles.length >= minKnownCycles)
    await sendYearlySummary(trx, deps, { user, numbers, dueAt: dueSummary.dueAt })
  return true
}

async function readNumberSummaries(trx: Trx, deps: HistoryDeps, userId: string): Promise<NumberSummary[]> {
  const transactionDeps = { ...deps, db: trx }
  const offers = await listPlansOnOffer(transactionDeps)
  const plans = new Map((await listUserServices(trx, userId)).map((service) => [service.id, service.product_id]))
  const numberSummaries: NumberSummary[] = []
  for (const { id, msisdn } of await listCurrentAndFormerServices(trx, userId)) {
    const year = await readYearlyUsage(transactionDeps, { userId, serviceId: id })
    if (year.cycles.length === 0 && year.months.every(({ cents }) => cents === 0)) continue
    const productId = plans.get(id)
    const serviceAdvice = productId ? await findPlanAdvice(transactionDeps, { id, userId, productId }, offers) : null
    // The summary recommends only cheaper plans, because recommending a more expensive plan would be advertising.
    const hasCheaperPlan = serviceAdvice?.advice.kind === 'less'
    numberSummaries.push({
      id,
      msisdn,
      year,
      cheaperPlanSentence: hasCheaperPlan
        ? describeAdvice(serviceAdvice.advice, serviceAdvice.plan).replaceAll('**', '')
        : null,
    })
  }
  return numberSummaries
}
