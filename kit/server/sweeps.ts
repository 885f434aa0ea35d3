import { untilNextTurn } from './ask-together.ts'
import type { Clock } from './clock.ts'
import type { Due } from './due.ts'

/**
 * What is done for rows that are due on the product's clock, by a column such as `due_at`. `next` says when the earliest is due,
 * `run` does what is due; running it twice, or in two processes, does no harm. Without `isDue` it is run at every look.
 */
export type Sweep = {
  name: string
  isDue?: Due
  next(): Promise<Temporal.Instant | null>
  run(now: Temporal.Instant): Promise<void>
}

/**
 * Upkeep in real time: what a crashed process left behind, old counts, back-off that is over. It is run as often as it says, with
 * `isDue` only when there is something to do.
 */
export type Upkeep = {
  name: string
  everyMs: number
  isDue?: Due
  /** It only finds due rows and starts their jobs, so it must not wait for sweeps and upkeep that take long. */
  findsJobs?: true
  run(): Promise<void>
}

/** How often it is looked what is due. */
export type Pace = {
  ask(dues: readonly Due[], now: Temporal.Instant): Promise<boolean[]>
  /** While something goes on, and while nothing does. */
  quickMs: number
  slowMs: number
  isLively(): boolean
}

/**
 * How often a process looks in which nothing goes on, whatever it looks for: one statement has it all, and what is due waits for
 * less than a second.
 */
export const idleLookMs = 800

/** No single sweep takes as long. */
const longestTurnMs = 60_000

/** Runs upkeep and what is due, over and over, until stopped. A failure is reported and the round goes on. */
export function startSweeping(
  clock: Clock,
  { sweeps, upkeep, onError }: { sweeps: Sweep[]; upkeep: Upkeep[]; onError(error: unknown, name: string): void },
  { ask, quickMs, slowMs, isLively }: Pace,
) {
  let stopped = false
  let turnedAt = performance.now()
  const lastRun = new Map<string, number>()
  /** It says so when they succeed again, also where nothing is left to do. */
  const failing = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()

  async function run({ name }: { name: string }, work: () => Promise<void>): Promise<void> {
    if (stopped) return
    failing.delete(name)
    await work().catch((error: unknown) => {
      failing.add(name)
      onError(error, name)
    })
    turnedAt = performance.now()
  }

  async function runAll(): Promise<void> {
    const now = clock.now()
    const itsTurn = upkeep.filter(
      ({ name, everyMs }) => performance.now() - (lastRun.get(name) ?? -Infinity) >= everyMs,
    )
    const asked = [...itsTurn, ...sweeps].filter(({ isDue, name }) => isDue && !failing.has(name))
    const idle = await idleOf(asked, (dues) => ask(dues, now))
    turnedAt = performance.now()
    for (const task of itsTurn) {
      if (stopped || idle.has(task)) continue
      lastRun.set(task.name, performance.now())
      await run(task, () => task.run())
    }
    for (const sweep of sweeps) if (!idle.has(sweep)) await run(sweep, () => sweep.run(now))
  }

  function loop(): void {
    round = runAll().finally(() => {
      if (!stopped) timer = setTimeout(loop, untilNextTurn(isLively() ? quickMs : slowMs))
    })
  }
  loop()

  return {
    /** Whether something has been done lately, if only to find that there is nothing to do. */
    isTurning: (): boolean => performance.now() - turnedAt < longestTurnMs,
    secondsSinceTurn: (): number => (performance.now() - turnedAt) / 1_000,
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await round
    },
  }
}

/** Those of which nothing is due. Where that cannot be asked, all are tried, and each tells what is wrong. */
async function idleOf<Task extends { isDue?: Due }>(
  tasks: Task[],
  ask: (dues: Due[]) => Promise<boolean[]>,
): Promise<Set<unknown>> {
  if (tasks.length === 0) return new Set()
  const answers = await ask(tasks.flatMap(({ isDue }) => isDue ?? [])).catch(() => null)
  return new Set(answers ? tasks.filter((_, at) => !answers[at]) : [])
}

/** The earliest instant at which any sweep has something due, or null when none has. */
export async function earliestDue(sweeps: Sweep[]): Promise<Temporal.Instant | null> {
  const dues = (await Promise.all(sweeps.map((sweep) => sweep.next()))).filter((due) => due !== null)
  return dues.sort(Temporal.Instant.compare)[0] ?? null
}
