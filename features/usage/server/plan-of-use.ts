import type { OwnService } from '#features/services/server/own-service.store.ts'
import { type PlanPeriod, planPeriodAt, spanOf } from '#kit/server/plan-period.ts'
import type { UsageDeps } from './usage.deps.ts'

export type PlanOfUse = Pick<OwnService, 'id' | 'msisdn' | 'sku' | 'data_gb' | 'starts_on' | 'expires_at'>

export function periodOf({ clock, market }: Pick<UsageDeps, 'clock' | 'market'>, service: PlanOfUse): PlanPeriod {
  const { startsOn, lengthDays } = spanOf(service.starts_on, service.expires_at, market.zone)
  return planPeriodAt(clock.now(), startsOn, lengthDays, market.zone)
}
