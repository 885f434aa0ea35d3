import type { Trx } from '#kit/server/db.ts'
import { isOver } from '#features/orders/orders.states.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { findLiveRenewal } from '#features/orders/server/purchases.store.ts'
import type { ScheduleOfService, ServiceRow } from '#features/services/server/plan-life.store.ts'
import type { OutlookState } from './outlook.ts'
import { findOutlook } from './outlooks.ts'
import { type Ending, sendCardReminder, sendEndReminder, sendNextPlanReminder } from './plan-ends.mail.ts'
import { premiseOfOutlook } from './premise.ts'

type Remind = (trx: Trx, deps: OrderDeps, ending: Ending) => Promise<void>

/**
 * Says before a plan's end what comes then, as it is now: nothing when that is as the customer wants it. False when it is not
 * known yet, because a renewal is under way. The service is locked.
 */
export async function remindOfEnd(
  trx: Trx,
  deps: OrderDeps,
  { service, schedule, now }: { service: ServiceRow; schedule: ScheduleOfService; now: Temporal.Instant },
): Promise<boolean> {
  const renewal = await findLiveRenewal(trx, schedule.scheduleId, schedule.orderId)
  if (renewal && !isOver(renewal.state)) return false
  const outlook = await findOutlook(trx, deps, service, now)
  const remind = outlook && reminders[outlook.state]
  if (!outlook || !remind) return true
  const premise = premiseOfOutlook(service.msisdn, schedule.orderId, outlook)
  await remind(trx, deps, { service, schedule, outlook, premise })
  return true
}

/** The day before it begins; of one that was paid for today there is a mail already. */
const ofNextPlan: Remind = async (trx, deps, ending) => {
  const { daysLeft, queued, today } = ending.outlook
  if (daysLeft === 1 && queued && !queued.paidOn.equals(today)) await sendNextPlanReminder(trx, deps, ending)
}

/** From the notice on its mails say it. */
const beforeNotice =
  (remind: Remind): Remind =>
  async (trx, deps, ending) => {
    const { isRenewing, notice, now } = ending.outlook
    if (!isRenewing || Temporal.Instant.compare(notice.at, now) > 0) await remind(trx, deps, ending)
  }

const reminders: Partial<Record<OutlookState, Remind>> = {
  next_plan_paid: ofNextPlan,
  card_trouble: beforeNotice(sendCardReminder),
  withdrawn: beforeNotice(sendEndReminder),
  gave_up: sendEndReminder,
  ends: sendEndReminder,
  ends_soon: sendEndReminder,
  last_day: sendEndReminder,
}
