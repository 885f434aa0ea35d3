import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { type PlanPeriod, computePlanPeriod, computePlanSpan } from '#kit/server/plan-period.ts'
import type { UsageDeps } from './usage.deps.ts'

export type UsagePlan = Pick<ServiceWithPlanRow, 'id' | 'msisdn' | 'sku' | 'data_gb' | 'starts_on' | 'expires_at'>

export function getPlanPeriod({ clock, market }: Pick<UsageDeps, 'clock' | 'market'>, service: UsagePlan): PlanPeriod {
  const { startsOn, lengthDays } = computePlanSpan(service.starts_on, service.expires_at, market.zone)
  return computePlanPeriod(clock.now(), startsOn, lengthDays, market.zone)
}
