import { transact, type Trx } from '#kit/server/db.ts'
import { fromDate } from '#kit/server/clock.ts'
import { cycleEnds, midnight } from '#kit/server/plan-period.ts'
import { lockService } from '#features/services/server/plan-life.store.ts'
import type { UsageRecord } from '#providers/network/usage.port.ts'
import {
  closeCycle,
  cutCycles,
  cycleRows,
  type Cycle,
  type CycleKey,
  findOpenCycle,
  findPlansOf,
  findWithoutCycles,
  insertCycles,
  type OpenCycle,
  takeDueCycles,
} from './cycle-usage.store.ts'
import { usedIn } from './cycle-use.ts'
import type { HistoryDeps } from './history.deps.ts'
import { expectSummaries } from './yearly-summary.ts'

/** The pause after a cycle's end, so that the network has rated the last usage. */
const afterEnd = { hours: 3 }
/**
 * The time after a cycle's end at which reading it is given up. The network keeps records for five weeks, and a partial
 * sum would be wrong.
 */
const givenUp = { hours: 5 * 24 }

const dueOf = (endsAt: Temporal.Instant): Temporal.Instant => endsAt.add(afterEnd)

/** The cycles of a plan. The first starts at midnight, or at `from` if the plan replaced another one during a day. */
export function cyclesOfPlan(
  { startsOn, expiresAt }: { startsOn: Temporal.PlainDate; expiresAt: Temporal.Instant },
  zone: string,
  from: Temporal.Instant | null = null,
): Cycle[] {
  const length = startsOn.until(expiresAt.toZonedDateTimeISO(zone).toPlainDate(), { largestUnit: 'days' }).days
  const ends = cycleEnds(startsOn, length).map((day) => midnight(day, zone))
  return ends.map((endsAt, at) => ({ startsAt: ends[at - 1] ?? from ?? midnight(startsOn, zone), endsAt }))
}

export async function expectCycles(trx: Trx, deps: HistoryDeps, serviceIds: readonly string[]): Promise<void> {
  const { zone } = deps.market
  const now = deps.clock.now()
  // A queued plan begins at the end of the previous plan, even if that is noticed late. An immediate plan ends the
  // previous plan now.
  const plans = await findPlansOf(trx, serviceIds)
  const cut = await cutCycles(trx, serviceIds, { at: now, dueAt: dueOf(now) })
  const cycles = plans.flatMap(({ serviceId, productId, ...plan }) => {
    const isCut = cut.has(serviceId) && Temporal.Instant.compare(midnight(plan.startsOn, zone), now) < 0
    return cyclesOfPlan(plan, zone, isCut ? now : null).map((cycle) => ({ serviceId, productId, ...cycle }))
  })
  await insertCycles(
    trx,
    cycles
      .filter(({ endsAt }) => Temporal.Instant.compare(endsAt, now) > 0)
      .map((cycle) => ({ ...cycle, dueAt: dueOf(cycle.endsAt) })),
  )
  await expectSummaries(trx, deps, serviceIds)
}

export async function expectMissingCycles(deps: HistoryDeps): Promise<void> {
  for (const serviceId of await findWithoutCycles(deps.db, deps.clock.now(), 200))
    await transact(deps.db, async (trx) => {
      if (await lockService(trx, serviceId)) await expectCycles(trx, deps, [serviceId])
    })
}

export const fetchDueCycles = (deps: HistoryDeps, now: Temporal.Instant): Promise<boolean> =>
  transact(deps.db, async (trx) => {
    const limit = deps.jobs.wants(cycleRows.queue)
    const taken = limit > 0 ? await takeDueCycles(trx, { now, limit }) : []
    for (const cycle of taken) deps.jobs.takeOver(trx, cycleRows.queue, cycle)
    return taken.length === limit
  })

export async function readCycle(deps: HistoryDeps, key: CycleKey): Promise<void> {
  const cycle = await findOpenCycle(deps.db, key)
  if (!cycle) return
  const isLost =
    Temporal.Instant.compare(deps.clock.now(), fromDate(cycle.ends_at).add(givenUp)) > 0 ||
    // The number may belong to another customer by now.
    cycle.released_at !== null ||
    (await deps.changedNumberSince(cycle.id, key.startsAt))
  if (isLost) {
    deps.log.warn({ service: cycle.id, cycle: key.startsAt.toString() }, 'what a cycle has used will not be known')
    await closeCycle(deps.db, cycle, null)
    return
  }
  const records = await recordsOf(deps, cycle)
  if (records) await closeCycle(deps.db, cycle, usedIn(records, cycle.data_gb))
}

async function recordsOf(deps: HistoryDeps, cycle: OpenCycle): Promise<UsageRecord[] | null> {
  const [start, end] = [fromDate(cycle.starts_at), fromDate(cycle.ends_at)]
  const all: UsageRecord[] = []
  for (let from = start; Temporal.Instant.compare(from, end) < 0;) {
    const week = from.add({ hours: 7 * 24 })
    const until = Temporal.Instant.compare(week, end) < 0 ? week : end
    const answer = await deps.networkUsage.records(cycle.msisdn, from, until)
    if (answer.foreign > 0) await deps.foreignUsage(cycle, 'usage', answer.foreign)
    if (answer.outcome === 'unknown') {
      deps.log.warn({ service: cycle.id, reason: answer.why }, 'the network does not tell what a cycle has used')
      return null
    }
    all.push(...answer.records)
    from = until
  }
  return all
}
