import type { ServiceWithPlanRow } from '#features/services/server/own-service.store.ts'
import { type PlanPeriod, planPeriodAt, planSpanOf } from '#kit/server/plan-period.ts'
import type { UsageDeps } from './usage.deps.ts'

export type UsagePlan = Pick<ServiceWithPlanRow, 'id' | 'msisdn' | 'sku' | 'data_gb' | 'starts_on' | 'expires_at'>

export function planPeriodOf({ clock, market }: Pick<UsageDeps, 'clock' | 'market'>, service: UsagePlan): PlanPeriod {
  const { startsOn, lengthDays } = planSpanOf(service.starts_on, service.expires_at, market.zone)
  return planPeriodAt(clock.now(), startsOn, lengthDays, market.zone)
}
