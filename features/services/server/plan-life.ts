import type { Trx } from '#kit/server/db.ts'
import { processInBatches } from '#kit/server/process-in-batches.ts'
import { getLastReservedDay, computeReleaseTime } from '#kit/server/plan-period.ts'
import { computeNextSendingTime } from '#kit/server/sending-hours.ts'
import { clearContactPhone, findUsers } from '#features/auth/server/users.store.ts'
import { queueMessages } from '#features/messages/server/messages.ts'
import {
  addDeadlines,
  deleteDeadlines,
  type DueDeadline,
  lockReleaseDeadlines,
  dequeueDueDeadlines,
} from './deadlines.store.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import { type EndedPlan, createExpiryMail, createNumberReminder } from './plan-life.mail.ts'
import { findServicesWithPlans, type ServiceWithPlan } from './plan-life.store.ts'
import { beginRelease } from './release-number.ts'
import { startQueuedPlans } from './services.ts'

/**
 * Maximum deadlines per transaction: enough to make the transaction's overhead negligible, few enough to hold locks
 * only briefly.
 */
const maxBatchSize = 50

/**
 * Runs the due deadlines, earliest first, with many services per transaction and several transactions at a time. A
 * failing service does not affect the others: its deadlines are skipped until the next round.
 * @throws the first failure, once all other deadlines are done
 */
export async function processDueDeadlines(deps: PlanLifeDeps, now: Temporal.Instant): Promise<void> {
  const failures: unknown[] = []
  const deadlineKinds = [
    { of: 'all else', most: maxBatchSize },
    // Release only one number per transaction, because another transaction may have locked its customer's account.
    { of: 'numbers that go', most: 1 },
  ] as const
  for (const { of, most } of deadlineKinds)
    await processInBatches({
      ...deps,
      most,
      lockBatch: (trx, which) => dequeueDueDeadlines(trx, { now, of }, which),
      idOf: ({ serviceId }) => serviceId,
      work: (trx, taken) => processDeadlines(trx, deps, taken, now),
      onFailure: (_, error) => failures.push(error),
    })
  if (failures.length > 0) throw failures[0]
}

type DuePlan = ServiceWithPlan & { due: DueDeadline }

async function processDeadlines(
  trx: Trx,
  deps: PlanLifeDeps,
  dueDeadlines: readonly DueDeadline[],
  now: Temporal.Instant,
): Promise<void> {
  // The services are locked, so a concurrent renewal has either committed already or waits for this transaction.
  const servicesWithPlans = await findServicesWithPlans(
    trx,
    dueDeadlines.map(({ serviceId }) => serviceId),
  )
  const duePlans = dueDeadlines.flatMap((due): DuePlan[] => {
    const each = servicesWithPlans.get(due.serviceId)
    return each && !each.service.released_at ? [{ ...each, due }] : []
  })
  const filterDuePlans = (is: (due: DueDeadline) => boolean): DuePlan[] => duePlans.filter(({ due }) => is(due))
  await endDuePlans(
    trx,
    deps,
    filterDuePlans(({ kind }) => kind === 'expiry'),
    now,
  )
  await sendReminders(
    trx,
    deps,
    filterDuePlans(({ kind }) => kind !== 'expiry' && kind !== 'release'),
    now,
  )
  for (const { service } of filterDuePlans(({ kind }) => kind === 'release')) {
    await beginRelease(trx, deps, service)
    await deleteDeadlines(trx, [service.id])
    await clearContactPhone(trx, service.id, now)
  }
}

/**
 * Plans end at midnight but expiry emails are sent in the morning, so a customer who renews in between gets no email.
 */
async function endDuePlans(
  trx: Trx,
  deps: PlanLifeDeps,
  duePlans: readonly DuePlan[],
  now: Temporal.Instant,
): Promise<void> {
  if (duePlans.length === 0) return
  const startedServices = await startQueuedPlans(
    trx,
    deps,
    duePlans.map(({ service }) => service.id),
  )
  const endedPlans = await findEndedPlans(
    trx,
    deps,
    duePlans.filter(({ service }) => !startedServices.has(service.id)),
    now,
  )
  const mails = endedPlans.map((each) => createExpiryMail(deps, each))
  await queueMessages(trx, deps, mails)
}

async function findEndedPlans(
  trx: Trx,
  deps: PlanLifeDeps,
  dues: readonly DuePlan[],
  now: Temporal.Instant,
): Promise<(EndedPlan & { due: DueDeadline })[]> {
  if (dues.length === 0) return []
  const services = dues.map(({ service }) => service)
  const sendConditions = await deps.readPlanSendConditions(trx, services, now)
  const users = await findUsers(
    trx,
    services.map((service) => service.user_id),
  )
  return dues.map((each) => {
    const { id, user_id: userId } = each.service
    const user = users.get(userId)
    if (!user) throw new Error('a service without a customer')
    const sendCondition = sendConditions.get(id)
    return {
      ...each,
      user,
      onlyWhile: sendCondition === undefined ? null : { serviceId: id, premise: sendCondition, byDay: true },
    }
  })
}

const reminderRetryDelay = { minutes: 30 }

/**
 * Sends the due reminders. A reminder that cannot be sent yet is rescheduled, unless the event that it announces will
 * have passed by then.
 */
async function sendReminders(
  trx: Trx,
  deps: PlanLifeDeps,
  duePlans: readonly DuePlan[],
  now: Temporal.Instant,
): Promise<void> {
  if (duePlans.length === 0) return
  const sendingTime = computeNextSendingTime(now, deps.market.zone)
  const servicesToRemindLater = sendingTime
    ? new Set(duePlans.map(({ service }) => service.id))
    : await sendDueReminders(trx, deps, duePlans, now)
  const retryAt = sendingTime ?? now.add(reminderRetryDelay)
  const plansToPostpone = duePlans.filter(
    (each) =>
      servicesToRemindLater.has(each.service.id) &&
      Temporal.Instant.compare(retryAt, getReminderDeadline(deps, each)) < 0,
  )
  await addDeadlines(
    trx,
    plansToPostpone.map(({ due: { serviceId, kind } }) => ({ serviceId, kind, dueAt: retryAt })),
  )
}

const isPlanReminder = ({ due }: DuePlan): boolean => due.kind.startsWith('ends-')

const getReminderDeadline = ({ market, numberKeptDays }: PlanLifeDeps, duePlan: DuePlan): Temporal.Instant =>
  isPlanReminder(duePlan)
    ? duePlan.schedule.expiresAt
    : computeReleaseTime(duePlan.schedule.expiresAt, market.zone, numberKeptDays)

/** Sends the due reminders, and returns the services whose reminders cannot be sent yet. */
async function sendDueReminders(
  trx: Trx,
  deps: PlanLifeDeps,
  duePlans: readonly DuePlan[],
  now: Temporal.Instant,
): Promise<Set<string>> {
  const unsentPlanReminders = await deps.remindOfEnds(trx, duePlans.filter(isPlanReminder), now)
  const unsentNumberReminders = await queueNumberReminders(
    trx,
    deps,
    duePlans.filter((each) => !isPlanReminder(each)),
    now,
  )
  return unsentPlanReminders.union(unsentNumberReminders)
}

const maxReminderDays = 14

/**
 * Sends the due number-release reminders. Returns the services without a release deadline, whose numbers are kept
 * because a renewal is in progress.
 */
async function queueNumberReminders(
  trx: Trx,
  deps: PlanLifeDeps,
  dues: readonly DuePlan[],
  now: Temporal.Instant,
): Promise<Set<string>> {
  if (dues.length === 0) return new Set()
  const ids = dues.map(({ service }) => service.id)
  const servicesToRelease = await lockReleaseDeadlines(trx, ids)
  const { zone } = deps.market
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const endedPlans = await findEndedPlans(
    trx,
    deps,
    dues.filter(({ service }) => servicesToRelease.has(service.id)),
    now,
  )
  const outboxMessages = endedPlans.flatMap(({ onlyWhile, ...each }) => {
    const lastDay = getLastReservedDay(each.schedule.expiresAt, zone, deps.numberKeptDays)
    const days = today.until(lastDay, { largestUnit: 'days' }).days + 1
    return onlyWhile && days >= 1 && days <= maxReminderDays
      ? createNumberReminder(deps, { ...each, onlyWhile }, days)
      : []
  })
  await queueMessages(trx, deps, outboxMessages)
  return new Set(ids).difference(servicesToRelease)
}
