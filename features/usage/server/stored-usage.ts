import type { UsageSummary } from '../usage.contract.ts'
import { createStoredUsageFacts } from './usage-facts.ts'
import { getPlanPeriod } from './usage-plan.ts'
import type { StoredUsage, UsageDeps } from './usage.deps.ts'
import { presentSummary } from './usage.present.ts'

export async function presentStoredUsage(
  deps: UsageDeps,
  storedUsage: StoredUsage | null,
): Promise<{ uuid: string; summary: UsageSummary } | null> {
  if (!storedUsage?.reading) return null
  const { service, reading } = storedUsage
  const period = getPlanPeriod(deps, service)
  const wasReadBefore = (instant: Temporal.Instant): boolean => Temporal.Instant.compare(reading.readAt, instant) < 0
  if (wasReadBefore(deps.clock.now().subtract(maxReadingAge)) || wasReadBefore(period.cycleStartsAt)) return null
  return {
    uuid: service.id,
    summary: await presentSummary(createStoredUsageFacts(deps, storedUsage), service, period, { reading, last: null }),
  }
}

/** Maximum age of stored usage. Up to this age, its time of day is unambiguous without a date. */
const maxReadingAge = { hours: 6 }
