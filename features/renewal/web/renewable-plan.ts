import type { Product } from '#features/plans/plans.contract.ts'
import type { PlanStatusView, Schedule, Service } from '#features/services/services.contract.ts'

export type RenewablePlan = { service: Service; schedule: Schedule; change?: PlanStatusView['change_next_plan'] }

/** Whether auto-renewal is on and able to renew the plan. A manual renewal is then the exception. */
export const isAutoRenewing = ({ service, schedule }: RenewablePlan): boolean =>
  schedule.auto_recharge_enabled && Boolean(service.outlook.auto_renewal_note)

export function findRenewablePlan(services: readonly Service[], shortId: string): RenewablePlan | null {
  for (const service of services) {
    const schedule = Object.values(service.schedules).find(({ short_id }) => short_id === shortId)
    if (schedule) return { service, schedule }
  }
  return null
}

/** The preselected plan: the schedule's next product, otherwise the current product (spec 4), if it is on sale. */
export function findPreselectedPlan(
  plans: readonly Product[],
  { product: { next_product_unique_id, unique_id } }: Schedule,
): Product | undefined {
  const findPlanOnSale = (id: string | null) => plans.find((plan) => plan.unique_id === id)
  return findPlanOnSale(next_product_unique_id) ?? findPlanOnSale(unique_id)
}
