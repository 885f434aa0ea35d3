import type { Trx } from '#kit/server/db.ts'
import { findUsers } from '#features/auth/server/users.store.ts'
import { type Letter, queueLetters } from '#features/messages/server/messages.ts'
import { isOver } from '#features/orders/orders.states.ts'
import { findLiveRenewals } from '#features/orders/server/live-renewals.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { ServiceWithPlan } from '#features/services/server/plan-life.store.ts'
import type { OutlookState } from './outlook.ts'
import { findPlansAhead } from './outlooks.ts'
import { cardReminder, type Ending, endReminder, nextPlanReminder } from './plan-ends.mail.ts'
import { premiseOfPlan } from './premise.ts'

type Remind = (deps: OrderDeps, ending: Ending) => Letter[]

/**
 * Queues the reminders before the ends of plans. Nothing is sent when the customer need not act. Returns the services
 * with a renewal in progress, whose outlook is not known yet. The caller has locked all of the services.
 */
export async function remindOfEnds(
  trx: Trx,
  deps: OrderDeps,
  ending: readonly ServiceWithPlan[],
  now: Temporal.Instant,
): Promise<Set<string>> {
  if (ending.length === 0) return new Set()
  const renewals = await findLiveRenewals(
    trx,
    ending.map(({ schedule }) => schedule),
  )
  const isUnderWay = ({ schedule }: ServiceWithPlan): boolean => {
    const renewal = renewals.get(schedule.scheduleId)
    return renewal !== undefined && !isOver(renewal.state)
  }
  const known = ending.filter((each) => !isUnderWay(each)).map(({ service }) => service)
  const plans = await findPlansAhead(trx, deps, known, now)
  const users = await findUsers(
    trx,
    known.map((service) => service.user_id),
  )
  const letters = ending.flatMap(({ service, schedule }) => {
    const ahead = plans.get(service.id)
    const user = users.get(service.user_id)
    const remind = ahead && reminders[ahead.outlook.state]
    if (!ahead || !remind) return []
    if (!user) throw new Error('a service without a customer')
    const premise = premiseOfPlan(service.msisdn, { ...ahead, orderId: schedule.orderId })
    return remind(deps, { service, schedule, user, outlook: ahead.outlook, premise })
  })
  await queueLetters(trx, deps, letters)
  return new Set(ending.filter(isUnderWay).map(({ service }) => service.id))
}

/** Sent on the day before the plan begins. A plan that was paid for today has its own mail already. */
const ofNextPlan: Remind = (deps, ending) => {
  const { daysLeft, queued, today } = ending.outlook
  return daysLeft === 1 && queued && !queued.paidOn.equals(today) ? nextPlanReminder(deps, ending) : []
}

/** After the notice, the mails of auto-renewal give this information. */
const beforeNotice =
  (remind: Remind): Remind =>
  (deps, ending) => {
    const { isRenewing, notice, now } = ending.outlook
    return !isRenewing || Temporal.Instant.compare(notice.at, now) > 0 ? remind(deps, ending) : []
  }

const reminders: Partial<Record<OutlookState, Remind>> = {
  next_plan_paid: ofNextPlan,
  card_trouble: beforeNotice(cardReminder),
  withdrawn: beforeNotice(endReminder),
  gave_up: endReminder,
  ends: endReminder,
  ends_soon: endReminder,
  last_day: endReminder,
}
