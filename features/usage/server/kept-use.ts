import type { UsageSummary } from '../usage.contract.ts'
import { keptFacts } from './facts.ts'
import { periodOf } from './plan-of-use.ts'
import type { KeptUse, UsageDeps } from './usage.deps.ts'
import { presentSummary } from './usage.present.ts'

export async function presentKeptUse(
  deps: UsageDeps,
  kept: KeptUse | null,
): Promise<{ uuid: string; summary: UsageSummary } | null> {
  if (!kept?.reading) return null
  const { service, reading } = kept
  const period = periodOf(deps, service)
  const isBefore = (instant: Temporal.Instant): boolean => Temporal.Instant.compare(reading.readAt, instant) < 0
  if (isBefore(deps.clock.now().subtract(shownFor)) || isBefore(period.cycleStartsAt)) return null
  return {
    uuid: service.id,
    summary: await presentSummary(keptFacts(deps, kept), service, period, { reading, last: null }),
  }
}

/** Within this time, showing only the time of day of a reading is unambiguous. */
const shownFor = { hours: 6 }
