import { getFirstPollTime } from '#features/alerts/server/alerts.ts'
import { scheduleUsagePolls } from '#features/alerts/server/watch.store.ts'
import { restartAutoRenewals } from '#features/auto-renewal/server/auto-renewal.ts'
import { findRenewingServices } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { queueEndReminders } from '#features/auto-renewal/server/plan-end-reminders.ts'
import { computeSendConditions } from '#features/auto-renewal/server/send-condition.ts'
import { createCycles } from '#features/history/server/cycles.ts'
import { handlePlanRemoval } from '#features/next-plan/server/refund-cancelled-plan.ts'
import { findPlanToChange } from '#features/next-plan/server/plan-to-change.ts'
import { sendCancellationFailedMail } from '#features/next-plan/server/next-plan.mail.ts'
import { hasBoughtDataSince } from '#features/orders/server/purchases.store.ts'
import { hasNumberMovedSince } from '#features/porting/server/porting.store.ts'
import type { Deps } from './deps.ts'
import { determineSendConditions } from './send-conditions.ts'

type PlanCallbacks = Pick<
  Deps,
  | 'changedNumberSince'
  | 'hasChangedSince'
  | 'planKept'
  | 'planRemoved'
  | 'planToChange'
  | 'plansBegan'
  | 'readSendConditions'
  | 'readPlanSendConditions'
  | 'remindOfEnds'
  | 'renewingOf'
>

export const planCallbacks = (deps: () => Deps): PlanCallbacks => ({
  renewingOf: (serviceIds) => findRenewingServices(deps().db, serviceIds),
  remindOfEnds: (trx, ending, now) => queueEndReminders(trx, deps(), ending, now),
  readPlanSendConditions: (trx, services, now) => computeSendConditions(trx, deps(), services, now),
  readSendConditions: (db, messages, now) => determineSendConditions(db, deps(), { messages, now }),
  planRemoved: (trx, order) => handlePlanRemoval(trx, deps(), order),
  planToChange: (trx, serviceId, orderCode) => findPlanToChange(trx, deps(), serviceId, orderCode),
  planKept: (trx, order) => sendCancellationFailedMail(trx, deps(), order),
  async plansBegan(trx, plans) {
    const ids = plans.map(({ serviceId }) => serviceId)
    const now = deps().clock.now()
    await scheduleUsagePolls(trx, new Map(ids.map((id) => [id, getFirstPollTime(now, id)])))
    await createCycles(trx, deps(), ids)
    await restartAutoRenewals(trx, deps(), plans)
  },
  changedNumberSince: (serviceId, since) => hasNumberMovedSince(deps().db, serviceId, since),
  hasChangedSince: async (serviceId, since) =>
    (await hasBoughtDataSince(deps().db, serviceId, since)) || (await hasNumberMovedSince(deps().db, serviceId, since)),
})
