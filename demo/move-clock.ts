import { setTimeout as pause } from 'node:timers/promises'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { MovableClock } from '#kit/server/clock.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import { type Sweep, earliestDue } from '#kit/server/sweeps.ts'
import { isFirstTryAhead } from '#features/messages/server/messages.store.ts'

export type ClockWorld = {
  db: Db
  clock: MovableClock
  market: Market
  jobs: Jobs
  sweeps: Sweep[]
  /** Resolves when the other processes that go by this clock have been told. */
  allFollow?(offsetMs: number): Promise<void>
  /** Sets the simulators' clocks; they have caught up when it returns. */
  tellSimulators(offsetMs: number): Promise<void>
}

/**
 * Moves the demo's time forward. It stops at each instant at which something is due, in order, lets that happen
 * and what follows from it, and only then goes on: nothing is skipped by jumping over it.
 */
export async function advanceClock(world: ClockWorld, by: Temporal.Duration): Promise<Temporal.Instant> {
  const { clock, market } = world
  await advanceTo(world, clock.now().toZonedDateTimeISO(market.zone).add(by).toInstant())
  return clock.now()
}

/** Looks at what is due and stays so. */
const mostRounds = 5

/** Moves the clock up to an instant; one that has passed moves nothing. */
export async function advanceTo(world: ClockWorld, target: Temporal.Instant): Promise<void> {
  const { clock, sweeps } = world
  for (let stuck = 0; stuck < mostRounds;) {
    const due = await earliestDue(sweeps)
    if (!due || Temporal.Instant.compare(due, target) > 0) break
    if (Temporal.Instant.compare(due, clock.now()) > 0) await moveTo(world, due)
    for (const sweep of sweeps) await sweep.run(clock.now())
    const isLeft = async (): Promise<boolean> => {
      const next = await earliestDue(sweeps)
      return next !== null && Temporal.Instant.compare(next, due) <= 0
    }
    // Most of what is due is over with its sweep: no job came of it, and nothing of it is in another process's hand.
    const isOver = !(await isLeft()) && !(await isBusy(world))
    if (!isOver) await whenQuiet(world)
    // A sweep may have it in hand just now. What stays due is not waited for: the caller who moves the clock gets an answer.
    stuck = !isOver && (await isLeft()) ? stuck + 1 : 0
  }
  await moveTo(world, target)
  await whenQuiet(world)
}

/** Brings a clock that is behind real time up to it; one that is ahead stays. */
export async function catchUp(world: ClockWorld): Promise<void> {
  if (world.clock.offset() >= 0) return
  await advanceTo(world, realNow())
  // That took its time, too.
  await setOffset(world, 0)
}

const moveTo = (world: ClockWorld, instant: Temporal.Instant): Promise<void> =>
  setOffset(world, Math.max(world.clock.offset(), instant.epochMilliseconds - realNow().epochMilliseconds))

async function setOffset({ db, clock, tellSimulators, allFollow }: ClockWorld, offsetMs: number): Promise<void> {
  // The simulators first: a gateway that is behind us would refuse a card sealed in its future.
  await tellSimulators(offsetMs)
  await db.updateTable('clock').set({ offset_ms: offsetMs }).execute()
  clock.setOffset(offsetMs)
  await allFollow?.(offsetMs)
}

const quietPolls = 3
const longestMs = 20_000

/** Waits until no job is left, looking a few times, because one job makes the next and the network calls back. */
async function whenQuiet(world: ClockWorld): Promise<void> {
  const until = performance.now() + longestMs
  for (let quiet = 0; quiet < quietPolls && performance.now() < until;) {
    quiet = (await isBusy(world)) ? 0 : quiet + 1
    await pause(60)
  }
}

const isBusy = async ({ db, jobs }: ClockWorld): Promise<boolean> =>
  (await jobs.unfinished()) > 0 || (await isRenewing(db)) || (await isFirstTryAhead(db))

/** A renewal that time itself has set off is looked at again in a moment: the plan after this one has to be there when this one ends. */
const aMoment = { milliseconds: 3_500 }

/** Also one that nobody has come to, as its process died over it: it is found after twenty seconds of real time. */
const isRenewing = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('orders')
    .select('id')
    .where('auto_renewal', '=', true)
    .where((where) =>
      where.or([
        where('retry_at', '<=', toDate(realNow().add(aMoment))),
        where.and([where('retry_at', 'is not', null), where('state', '=', 'paying'), where('tries', '=', 0)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()) !== undefined
