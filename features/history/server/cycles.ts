import { transact, type Trx } from '#kit/server/db.ts'
import { fromDate } from '#kit/server/clock.ts'
import { listCycleEnds, getMidnight } from '#kit/server/plan-period.ts'
import { lockService } from '#features/services/server/plan-life.store.ts'
import type { UsageRecord } from '#providers/network/usage.port.ts'
import {
  closeCycle,
  shortenCycles,
  cycleSweep,
  type Cycle,
  type CycleKey,
  findOpenCycle,
  listServicePlans,
  listServicesWithoutCycles,
  insertCycles,
  type OpenCycle,
  claimDueCycles,
} from './cycle-usage.store.ts'
import { sumUsage } from './cycle-usage.ts'
import type { HistoryDeps } from './history.deps.ts'
import { scheduleSummaries } from './yearly-summary.ts'

/** How long after a cycle's end its usage is first requested, so that the network has had time to rate all of it. */
const usageReadDelay = { hours: 3 }
/**
 * How long after a cycle's end we stop requesting its usage. The network keeps usage records for five weeks, so after
 * this time it may have deleted the first records of a 30-day cycle, and the sum would be too low.
 */
const usageReadPeriod = { hours: 5 * 24 }

const computeReadTime = (endsAt: Temporal.Instant): Temporal.Instant => endsAt.add(usageReadDelay)

/** A plan's data cycles. The first cycle starts at midnight, or at `from` if the plan replaced the previous plan during the day. */
export function computePlanCycles(
  { startsOn, expiresAt }: { startsOn: Temporal.PlainDate; expiresAt: Temporal.Instant },
  zone: string,
  from: Temporal.Instant | null = null,
): Cycle[] {
  const lengthDays = startsOn.until(expiresAt.toZonedDateTimeISO(zone).toPlainDate(), { largestUnit: 'days' }).days
  const ends = listCycleEnds(startsOn, lengthDays).map((day) => getMidnight(day, zone))
  return ends.map((endsAt, at) => ({ startsAt: ends[at - 1] ?? from ?? getMidnight(startsOn, zone), endsAt }))
}

export async function createCycles(trx: Trx, deps: HistoryDeps, serviceIds: readonly string[]): Promise<void> {
  const { zone } = deps.market
  const now = deps.clock.now()
  /*
   * A queued plan begins when the previous plan ends, even if this code runs later. A plan that starts immediately ends
   * the previous plan now.
   */
  const plans = await listServicePlans(trx, serviceIds)
  const shortenedServices = await shortenCycles(trx, serviceIds, { at: now, dueAt: computeReadTime(now) })
  const cycles = plans.flatMap(({ serviceId, productId, ...plan }) => {
    const isShortened =
      shortenedServices.has(serviceId) && Temporal.Instant.compare(getMidnight(plan.startsOn, zone), now) < 0
    return computePlanCycles(plan, zone, isShortened ? now : null).map((cycle) => ({ serviceId, productId, ...cycle }))
  })
  await insertCycles(
    trx,
    cycles
      .filter(({ endsAt }) => Temporal.Instant.compare(endsAt, now) > 0)
      .map((cycle) => ({ ...cycle, dueAt: computeReadTime(cycle.endsAt) })),
  )
  await scheduleSummaries(trx, deps, serviceIds)
}

export async function createMissingCycles(deps: HistoryDeps): Promise<void> {
  for (const serviceId of await listServicesWithoutCycles(deps.db, deps.clock.now(), 200))
    await transact(deps.db, async (trx) => {
      if (await lockService(trx, serviceId)) await createCycles(trx, deps, [serviceId])
    })
}

export const startDueCycleReads = (deps: HistoryDeps, now: Temporal.Instant): Promise<boolean> =>
  transact(deps.db, async (trx) => {
    const limit = deps.jobs.wants(cycleSweep.queue)
    const dueCycles = limit > 0 ? await claimDueCycles(trx, { now, limit }) : []
    for (const cycle of dueCycles) deps.jobs.takeOver(trx, cycleSweep.queue, cycle)
    return dueCycles.length === limit
  })

export async function readCycleUsage(deps: HistoryDeps, key: CycleKey): Promise<void> {
  const cycle = await findOpenCycle(deps.db, key)
  if (!cycle) return
  const isExpired =
    Temporal.Instant.compare(deps.clock.now(), fromDate(cycle.ends_at).add(usageReadPeriod)) > 0 ||
    // A released number may already belong to a different customer.
    cycle.released_at !== null ||
    (await deps.changedNumberSince(cycle.id, key.startsAt))
  if (isExpired) {
    deps.log.warn({ service: cycle.id, cycle: key.startsAt.toString() }, 'the usage of a cycle will stay unknown')
    await closeCycle(deps.db, cycle, null)
    return
  }
  const records = await fetchUsageRecords(deps, cycle)
  if (records) await closeCycle(deps.db, cycle, sumUsage(records, cycle.data_gb))
}

async function fetchUsageRecords(deps: HistoryDeps, cycle: OpenCycle): Promise<UsageRecord[] | null> {
  const [start, end] = [fromDate(cycle.starts_at), fromDate(cycle.ends_at)]
  const allRecords: UsageRecord[] = []
  for (let from = start; Temporal.Instant.compare(from, end) < 0;) {
    const weekLater = from.add({ hours: 7 * 24 })
    const until = Temporal.Instant.compare(weekLater, end) < 0 ? weekLater : end
    const response = await deps.networkUsage.records(cycle.msisdn, from, until)
    if (response.foreign > 0) await deps.foreignUsage(cycle, 'usage', response.foreign)
    if (response.outcome === 'unknown') {
      deps.log.warn({ service: cycle.id, reason: response.why }, 'the network did not report the usage of a cycle')
      return null
    }
    allRecords.push(...response.records)
    from = until
  }
  return allRecords
}
