import { setTimeout as pause } from 'node:timers/promises'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { MovableClock } from '#kit/server/clock.ts'
import { realNow } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import { type Deadline, earliestDue } from '#kit/server/sweeps.ts'

export type ClockWorld = {
  db: Db
  clock: MovableClock
  market: Market
  jobs: Jobs
  deadlines: Deadline[]
  /** Sets the simulators' clocks; they have caught up when it returns. */
  tellSimulators(offsetMs: number): Promise<void>
}

/**
 * Moves the demo's time forward. It stops at each instant at which something is due, in order, lets that happen
 * and what follows from it, and only then goes on: nothing is skipped by jumping over it.
 */
export async function advanceClock(world: ClockWorld, by: Temporal.Duration): Promise<Temporal.Instant> {
  const { clock, deadlines, market } = world
  const target = clock.now().toZonedDateTimeISO(market.zone).add(by).toInstant()
  for (;;) {
    const due = await earliestDue(deadlines)
    if (!due || Temporal.Instant.compare(due, target) > 0) break
    if (Temporal.Instant.compare(due, clock.now()) > 0) await moveTo(world, due)
    for (const deadline of deadlines) await deadline.run(clock.now())
    await whenQuiet(world)
    // What stays due although it was done is not waited for: whoever moves the clock gets an answer.
    const next = await earliestDue(deadlines)
    if (next && Temporal.Instant.compare(next, due) <= 0) break
  }
  await moveTo(world, target)
  await whenQuiet(world)
  return clock.now()
}

async function moveTo({ db, clock, tellSimulators }: ClockWorld, instant: Temporal.Instant): Promise<void> {
  const offsetMs = Math.max(clock.offset(), instant.epochMilliseconds - realNow().epochMilliseconds)
  // The simulators first: a gateway that is behind us would refuse a card sealed in its future.
  await tellSimulators(offsetMs)
  await db.updateTable('clock').set({ offset_ms: offsetMs }).execute()
  clock.setOffset(offsetMs)
}

const quietPolls = 3
const longestMs = 20_000

/** Waits until no job is left, looking a few times, because one job makes the next and the network calls back. */
async function whenQuiet({ jobs }: ClockWorld): Promise<void> {
  const until = performance.now() + longestMs
  for (let quiet = 0; quiet < quietPolls && performance.now() < until; ) {
    quiet = (await jobs.unfinished()) === 0 ? quiet + 1 : 0
    await pause(60)
  }
}
