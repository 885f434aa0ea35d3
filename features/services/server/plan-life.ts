import type { Trx } from '#kit/server/db.ts'
import { inBatches } from '#kit/server/in-batches.ts'
import { lastDayKept, releaseAt } from '#kit/server/plan-period.ts'
import { nextOpening } from '#kit/server/reminder-hours.ts'
import { clearContactService, findUsers } from '#features/auth/server/users.store.ts'
import { queueLetters } from '#features/messages/server/messages.ts'
import { addDeadlines, clearDeadlines, type DueDeadline, lockReleases, takeDueDeadlines } from './deadlines.store.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import { type Ended, expiryMail, numberReminder } from './plan-life.mail.ts'
import { findServicesWithPlans, type ServiceWithPlan } from './plan-life.store.ts'
import { beginRelease } from './release.ts'
import { beginQueuedPlans } from './services.ts'

/** Maximum deadlines per transaction: enough to make its overhead small, few enough to hold locks only briefly. */
const mostTogether = 50

/**
 * Runs the due deadlines, the earliest first, many services per transaction and several transactions concurrently. A
 * failing service does not affect the others: it is skipped until the next round.
 * @throws the first failure, once all other deadlines are done
 */
export async function runDueDeadlines(deps: PlanLifeDeps, now: Temporal.Instant): Promise<void> {
  const failures: unknown[] = []
  const kinds = [
    { of: 'all else', most: mostTogether },
    // Each release frees a phone number of its customer, whose account other transactions may have locked.
    { of: 'numbers that go', most: 1 },
  ] as const
  for (const { of, most } of kinds)
    await inBatches({
      ...deps,
      most,
      take: (trx, which) => takeDueDeadlines(trx, { now, of }, which),
      idOf: ({ serviceId }) => serviceId,
      work: (trx, taken) => doDeadlines(trx, deps, taken, now),
      onTrouble: (_, error) => failures.push(error),
    })
  if (failures.length > 0) throw failures[0]
}

type Due = ServiceWithPlan & { due: DueDeadline }

async function doDeadlines(
  trx: Trx,
  deps: PlanLifeDeps,
  taken: readonly DueDeadline[],
  now: Temporal.Instant,
): Promise<void> {
  // The services are locked, so a renewal has either committed already or waits for this transaction.
  const found = await findServicesWithPlans(
    trx,
    taken.map(({ serviceId }) => serviceId),
  )
  const dues = taken.flatMap((due): Due[] => {
    const each = found.get(due.serviceId)
    return each && !each.service.released_at ? [{ ...each, due }] : []
  })
  const those = (is: (due: DueDeadline) => boolean): Due[] => dues.filter(({ due }) => is(due))
  await endPlans(
    trx,
    deps,
    those(({ kind }) => kind === 'expiry'),
    now,
  )
  await remind(
    trx,
    deps,
    those(({ kind }) => kind !== 'expiry' && kind !== 'release'),
    now,
  )
  for (const { service } of those(({ kind }) => kind === 'release')) {
    await beginRelease(trx, deps, service)
    await clearDeadlines(trx, [service.id])
    await clearContactService(trx, service.id, now)
  }
}

/** Plans end at midnight and emails go out in the morning, so a customer who renews in between gets no email. */
async function endPlans(trx: Trx, deps: PlanLifeDeps, dues: readonly Due[], now: Temporal.Instant): Promise<void> {
  if (dues.length === 0) return
  const begun = await beginQueuedPlans(
    trx,
    deps,
    dues.map(({ service }) => service.id),
  )
  const ended = await endedOf(
    trx,
    deps,
    dues.filter(({ service }) => !begun.has(service.id)),
    now,
  )
  const mails = ended.map((each) => expiryMail(deps, each))
  await queueLetters(trx, deps, mails)
}

async function endedOf(
  trx: Trx,
  deps: PlanLifeDeps,
  dues: readonly Due[],
  now: Temporal.Instant,
): Promise<(Ended & { due: DueDeadline })[]> {
  if (dues.length === 0) return []
  const services = dues.map(({ service }) => service)
  const premises = await deps.premisesOfPlans(trx, services, now)
  const users = await findUsers(
    trx,
    services.map((service) => service.user_id),
  )
  return dues.map((each) => {
    const { id, user_id: userId } = each.service
    const user = users.get(userId)
    if (!user) throw new Error('a service without a customer')
    const premise = premises.get(id)
    return { ...each, user, onlyWhile: premise === undefined ? null : { serviceId: id, premise, byDay: true } }
  })
}

const whileItIsPaid = { minutes: 30 }

/** A reminder that cannot be sent yet is rescheduled, unless its end will have passed by then. */
async function remind(trx: Trx, deps: PlanLifeDeps, dues: readonly Due[], now: Temporal.Instant): Promise<void> {
  if (dues.length === 0) return
  const opening = nextOpening(now, deps.market.zone)
  const unsaid = opening ? new Set(dues.map(({ service }) => service.id)) : await say(trx, deps, dues, now)
  const again = opening ?? now.add(whileItIsPaid)
  const left = dues.filter(
    (each) => unsaid.has(each.service.id) && Temporal.Instant.compare(again, endOf(deps, each)) < 0,
  )
  await addDeadlines(
    trx,
    left.map(({ due: { serviceId, kind } }) => ({ serviceId, kind, dueAt: again })),
  )
}

const isOfPlan = ({ due }: Due): boolean => due.kind.startsWith('ends-')

const endOf = ({ market, numberKeptDays }: PlanLifeDeps, due: Due): Temporal.Instant =>
  isOfPlan(due) ? due.schedule.expiresAt : releaseAt(due.schedule.expiresAt, market.zone, numberKeptDays)

/** Returns the services whose reminders cannot be sent yet. */
async function say(trx: Trx, deps: PlanLifeDeps, dues: readonly Due[], now: Temporal.Instant): Promise<Set<string>> {
  const ofPlans = await deps.remindOfEnds(trx, dues.filter(isOfPlan), now)
  const ofNumbers = await remindOfNumbers(
    trx,
    deps,
    dues.filter((each) => !isOfPlan(each)),
    now,
  )
  return ofPlans.union(ofNumbers)
}

const mostDays = 14

/** Returns the services without a release deadline: a renewal is under way, and the number is kept for it. */
async function remindOfNumbers(
  trx: Trx,
  deps: PlanLifeDeps,
  dues: readonly Due[],
  now: Temporal.Instant,
): Promise<Set<string>> {
  if (dues.length === 0) return new Set()
  const ids = dues.map(({ service }) => service.id)
  const going = await lockReleases(trx, ids)
  const { zone } = deps.market
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const ended = await endedOf(
    trx,
    deps,
    dues.filter(({ service }) => going.has(service.id)),
    now,
  )
  const letters = ended.flatMap(({ onlyWhile, ...each }) => {
    const lastDay = lastDayKept(each.schedule.expiresAt, zone, deps.numberKeptDays)
    const days = today.until(lastDay, { largestUnit: 'days' }).days + 1
    return onlyWhile && days >= 1 && days <= mostDays ? numberReminder(deps, { ...each, onlyWhile }, days) : []
  })
  await queueLetters(trx, deps, letters)
  return new Set(ids).difference(going)
}
