import { setTimeout as pause } from 'node:timers/promises'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { MovableClock } from '#kit/server/clock.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import { type Sweep, findEarliestDueTime } from '#kit/server/sweeps.ts'
import { hasUntriedMessages } from '#features/messages/server/messages.store.ts'

export type ClockContext = {
  db: Db
  clock: MovableClock
  market: Market
  jobs: Jobs
  sweeps: Sweep[]
  allFollow?(offsetMs: number): Promise<void>
  tellSimulators(offsetMs: number): Promise<void>
}

/** Advances the clock, stopping whenever work falls due and waiting for that work, so that no work is skipped. */
export async function advanceClock(world: ClockContext, by: Temporal.Duration): Promise<Temporal.Instant> {
  const { clock, market } = world
  await advanceTo(world, clock.now().toZonedDateTimeISO(market.zone).add(by).toInstant())
  return clock.now()
}

const maxRounds = 5

/** Advances the clock to the given instant, stopping for work that falls due on the way. Does nothing if the instant is in the past. */
export async function advanceTo(world: ClockContext, target: Temporal.Instant): Promise<void> {
  const { clock, sweeps } = world
  for (let stuck = 0; stuck < maxRounds;) {
    const due = await findEarliestDueTime(sweeps)
    if (!due || Temporal.Instant.compare(due, target) > 0) break
    if (Temporal.Instant.compare(due, clock.now()) > 0) await moveClockTo(world, due)
    for (const sweep of sweeps) await sweep.run(clock.now())
    const hasDueWork = async (): Promise<boolean> => {
      const next = await findEarliestDueTime(sweeps)
      return next !== null && Temporal.Instant.compare(next, due) <= 0
    }
    // Usually there is nothing to wait for: the sweep has done all due work and created no jobs, and no other process is busy.
    const isWorkDone = !(await hasDueWork()) && !(await isBusy(world))
    if (!isWorkDone) await waitUntilIdle(world)
    // Another process may be holding on to due work. The request needs a response, so don't wait for that process forever.
    stuck = !isWorkDone && (await hasDueWork()) ? stuck + 1 : 0
  }
  await moveClockTo(world, target)
  await waitUntilIdle(world)
}

export async function catchUpWithRealTime(world: ClockContext): Promise<void> {
  if (world.clock.offset() >= 0) return
  await advanceTo(world, realNow())
  // Real time has moved on while the due work was being done, so set the clock's offset to exactly 0 at the end.
  await setClockOffset(world, 0)
}

const moveClockTo = (world: ClockContext, instant: Temporal.Instant): Promise<void> =>
  setClockOffset(world, Math.max(world.clock.offset(), instant.epochMilliseconds - realNow().epochMilliseconds))

async function setClockOffset({ db, clock, tellSimulators, allFollow }: ClockContext, offsetMs: number): Promise<void> {
  // Move the simulators' clocks first: a gateway that is behind would reject a card that appears to have been encrypted in the future.
  await tellSimulators(offsetMs)
  await db.updateTable('clock').set({ offset_ms: offsetMs }).execute()
  clock.setOffset(offsetMs)
  await allFollow?.(offsetMs)
}

const requiredIdlePolls = 3
const maxWaitMs = 20_000

/** Waits until no jobs are left. Checks more than once, because jobs create further jobs and the network sends callbacks. */
async function waitUntilIdle(world: ClockContext): Promise<void> {
  const until = performance.now() + maxWaitMs
  for (let quiet = 0; quiet < requiredIdlePolls && performance.now() < until;) {
    quiet = (await isBusy(world)) ? 0 : quiet + 1
    await pause(60)
  }
}

const isBusy = async ({ db, jobs }: ClockContext): Promise<boolean> =>
  (await jobs.unfinished()) > 0 || (await isRenewing(db)) || (await hasUntriedMessages(db))

/** A renewal that is due for a retry within this time counts as in progress, because it must finish before the plan ends. */
const retryMargin = { milliseconds: 3_500 }

/** Returns whether a renewal is in progress. If the process running it dies, another process takes over after 20 seconds of real time. */
const isRenewing = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('orders')
    .select('id')
    .where('auto_renewal', '=', true)
    .where((where) =>
      where.or([
        where('retry_at', '<=', toDate(realNow().add(retryMargin))),
        where.and([where('retry_at', 'is not', null), where('state', '=', 'paying'), where('tries', '=', 0)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()) !== undefined
