import { setTimeout as pause } from 'node:timers/promises'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { MovableClock } from '#kit/server/clock.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import { type Sweep, earliestDue } from '#kit/server/sweeps.ts'
import { hasUntriedMessages } from '#features/messages/server/messages.store.ts'

export type ClockWorld = {
  db: Db
  clock: MovableClock
  market: Market
  jobs: Jobs
  sweeps: Sweep[]
  allFollow?(offsetMs: number): Promise<void>
  tellSimulators(offsetMs: number): Promise<void>
}

/** Advances the clock. It stops at each instant at which work is due, and waits for that work, so that no due work is skipped. */
export async function advanceClock(world: ClockWorld, by: Temporal.Duration): Promise<Temporal.Instant> {
  const { clock, market } = world
  await advanceTo(world, clock.now().toZonedDateTimeISO(market.zone).add(by).toInstant())
  return clock.now()
}

const maxRounds = 5

/** Advances the clock to an instant, stopping for due work. An instant in the past changes nothing. */
export async function advanceTo(world: ClockWorld, target: Temporal.Instant): Promise<void> {
  const { clock, sweeps } = world
  for (let stuck = 0; stuck < maxRounds;) {
    const due = await earliestDue(sweeps)
    if (!due || Temporal.Instant.compare(due, target) > 0) break
    if (Temporal.Instant.compare(due, clock.now()) > 0) await moveTo(world, due)
    for (const sweep of sweeps) await sweep.run(clock.now())
    const hasDueWork = async (): Promise<boolean> => {
      const next = await earliestDue(sweeps)
      return next !== null && Temporal.Instant.compare(next, due) <= 0
    }
    // Usually the sweep has finished all due work: it has created no job, and no other process is busy.
    const isOver = !(await hasDueWork()) && !(await isBusy(world))
    if (!isOver) await waitUntilIdle(world)
    // Another process may be holding due work. The caller needs an answer, so the clock does not wait for such work forever.
    stuck = !isOver && (await hasDueWork()) ? stuck + 1 : 0
  }
  await moveTo(world, target)
  await waitUntilIdle(world)
}

export async function catchUpWithRealTime(world: ClockWorld): Promise<void> {
  if (world.clock.offset() >= 0) return
  await advanceTo(world, realNow())
  // Real time has passed during the due work, so the offset is finally set to exactly 0.
  await setOffset(world, 0)
}

const moveTo = (world: ClockWorld, instant: Temporal.Instant): Promise<void> =>
  setOffset(world, Math.max(world.clock.offset(), instant.epochMilliseconds - realNow().epochMilliseconds))

async function setOffset({ db, clock, tellSimulators, allFollow }: ClockWorld, offsetMs: number): Promise<void> {
  // The simulators' clocks move first, because a gateway whose clock is behind would reject a card that was encrypted in its future.
  await tellSimulators(offsetMs)
  await db.updateTable('clock').set({ offset_ms: offsetMs }).execute()
  clock.setOffset(offsetMs)
  await allFollow?.(offsetMs)
}

const requiredIdlePolls = 3
const maxWaitMs = 20_000

/** Waits until no job is left. It checks several times, because jobs create further jobs and the network calls back. */
async function waitUntilIdle(world: ClockWorld): Promise<void> {
  const until = performance.now() + maxWaitMs
  for (let quiet = 0; quiet < requiredIdlePolls && performance.now() < until;) {
    quiet = (await isBusy(world)) ? 0 : quiet + 1
    await pause(60)
  }
}

const isBusy = async ({ db, jobs }: ClockWorld): Promise<boolean> =>
  (await jobs.unfinished()) > 0 || (await isRenewing(db)) || (await hasUntriedMessages(db))

/** A renewal whose retry is due within this time counts as busy, because it must finish before the clock reaches the plan's end. */
const retryMargin = { milliseconds: 3_500 }

/** Tells whether a renewal is in progress. If its process died, another process takes it over after twenty seconds of real time. */
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
