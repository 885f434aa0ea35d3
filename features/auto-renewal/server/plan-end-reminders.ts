import type { Trx } from '#kit/server/db.ts'
import { findUsers } from '#features/auth/server/users.store.ts'
import { type OutboxMessage, queueMessages } from '#features/messages/server/messages.ts'
import { isEndState } from '#features/orders/orders.states.ts'
import { findSubsequentRenewals } from '#features/orders/server/subsequent-renewals.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { ServiceWithPlan } from '#features/services/server/plan-life.store.ts'
import type { PlanStatusState } from './plan-status.ts'
import { findPlanStatuses } from './plan-statuses.ts'
import { createCardReminder, type EndingPlan, endReminder, createNextPlanReminder } from './plan-ends.mail.ts'
import { computeSendCondition } from './send-condition.ts'

type ReminderBuilder = (deps: OrderDeps, ending: EndingPlan) => OutboxMessage[]

/**
 * Queues the reminders that customers get before their plans end. A customer whose auto-renewal will succeed gets none.
 * Returns the services with a renewal in progress, which callers must check again later. Callers must lock all services
 * first.
 */
export async function queueEndReminders(
  trx: Trx,
  deps: OrderDeps,
  endingPlans: readonly ServiceWithPlan[],
  now: Temporal.Instant,
): Promise<Set<string>> {
  if (endingPlans.length === 0) return new Set()
  const renewals = await findSubsequentRenewals(
    trx,
    endingPlans.map(({ schedule }) => schedule),
  )
  const isRenewalInProgress = ({ schedule }: ServiceWithPlan): boolean => {
    const renewal = renewals.get(schedule.scheduleId)
    return renewal !== undefined && !isEndState(renewal.state)
  }
  const remindableServices = endingPlans.filter((each) => !isRenewalInProgress(each)).map(({ service }) => service)
  const planStatuses = await findPlanStatuses(trx, deps, remindableServices, now)
  const users = await findUsers(
    trx,
    remindableServices.map((service) => service.user_id),
  )
  const outboxMessages = endingPlans.flatMap(({ service, schedule }) => {
    const planStatus = planStatuses.get(service.id)
    const user = users.get(service.user_id)
    const createReminder = planStatus && reminderBuilderByState[planStatus.outlook.state]
    if (!planStatus || !createReminder) return []
    if (!user) throw new Error('a service without a customer')
    const sendCondition = computeSendCondition(service.msisdn, { ...planStatus, orderId: schedule.orderId })
    return createReminder(deps, { service, schedule, user, outlook: planStatus.outlook, premise: sendCondition })
  })
  await queueMessages(trx, deps, outboxMessages)
  return new Set(endingPlans.filter(isRenewalInProgress).map(({ service }) => service.id))
}

/**
 * Reminds customers the day before their next plan begins, unless they paid for it today, because the payment has already
 * sent them an email about it.
 */
const remindOfNextPlan: ReminderBuilder = (deps, ending) => {
  const { daysLeft, queued, today } = ending.outlook
  return daysLeft === 1 && queued && !queued.paidOn.equals(today) ? createNextPlanReminder(deps, ending) : []
}

/**
 * Sends the reminder only if auto-renewal is off or its notice is not due yet, because the later auto-renewal emails
 * contain the same information.
 */
const remindOnlyBeforeNotice =
  (remind: ReminderBuilder): ReminderBuilder =>
  (deps, ending) => {
    const { isRenewing, notice, now } = ending.outlook
    return !isRenewing || Temporal.Instant.compare(notice.at, now) > 0 ? remind(deps, ending) : []
  }

const reminderBuilderByState: Partial<Record<PlanStatusState, ReminderBuilder>> = {
  next_plan_paid: remindOfNextPlan,
  card_trouble: remindOnlyBeforeNotice(createCardReminder),
  withdrawn: remindOnlyBeforeNotice(endReminder),
  gave_up: endReminder,
  ends: endReminder,
  ends_soon: endReminder,
  last_day: endReminder,
}
