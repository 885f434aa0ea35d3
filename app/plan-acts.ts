import { firstLookAt } from '#features/alerts/server/alerts.ts'
import { watchAllFrom } from '#features/alerts/server/watch.store.ts'
import { restartAutoRenewals } from '#features/auto-renewal/server/auto-renewal.ts'
import { findRenewing } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { remindOfEnds } from '#features/auto-renewal/server/plan-ends.ts'
import { premisesOf } from '#features/auto-renewal/server/premise.ts'
import { expectCycles } from '#features/history/server/cycles.ts'
import { planRemoved } from '#features/next-plan/server/give-back.ts'
import { planToChange } from '#features/next-plan/server/change.ts'
import { sendPlanKept } from '#features/next-plan/server/next-plan.mail.ts'
import { hasBoughtDataSince } from '#features/orders/server/purchases.store.ts'
import { hasComeSince } from '#features/porting/server/porting.store.ts'
import type { Deps } from './deps.ts'
import { premisesOfMessages } from './premise-of-message.ts'

type PlanActs = Pick<
  Deps,
  | 'changedNumberSince'
  | 'hasChangedSince'
  | 'planKept'
  | 'planRemoved'
  | 'planToChange'
  | 'plansBegan'
  | 'premisesOf'
  | 'premisesOfPlans'
  | 'remindOfEnds'
  | 'renewingOf'
>

export const planActs = (deps: () => Deps): PlanActs => ({
  renewingOf: (serviceIds) => findRenewing(deps().db, serviceIds),
  remindOfEnds: (trx, ending, now) => remindOfEnds(trx, deps(), ending, now),
  premisesOfPlans: (trx, services, now) => premisesOf(trx, deps(), services, now),
  premisesOf: (db, messages, now) => premisesOfMessages(db, deps(), { messages, now }),
  planRemoved: (trx, order) => planRemoved(trx, deps(), order),
  planToChange: (trx, serviceId, orderCode) => planToChange(trx, deps(), serviceId, orderCode),
  planKept: (trx, order) => sendPlanKept(trx, deps(), order),
  async plansBegan(trx, plans) {
    const ids = plans.map(({ serviceId }) => serviceId)
    const now = deps().clock.now()
    await watchAllFrom(trx, new Map(ids.map((id) => [id, firstLookAt(now, id)])))
    await expectCycles(trx, deps(), ids)
    await restartAutoRenewals(trx, deps(), plans)
  },
  changedNumberSince: (serviceId, since) => hasComeSince(deps().db, serviceId, since),
  hasChangedSince: async (serviceId, since) =>
    (await hasBoughtDataSince(deps().db, serviceId, since)) || (await hasComeSince(deps().db, serviceId, since)),
})
