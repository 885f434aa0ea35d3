import type { Clock } from './clock.ts'

/**
 * What is done for rows that are due on the product's clock, by a column such as `due_at`. `next` says when the earliest is due,
 * `run` does what is due; running it twice, or in two processes, does no harm.
 */
export type Sweep = {
  name: string
  next(): Promise<Temporal.Instant | null>
  run(now: Temporal.Instant): Promise<void>
}

/** Upkeep in real time: what a crashed process left behind, old counts, back-off that is over. */
export type Upkeep = { name: string; everyMs: number; run(): Promise<void> }

/** No single sweep takes as long. */
const longestTurnMs = 60_000

/** Runs upkeep and what is due, over and over, until stopped. A failure is reported and the round goes on. */
export function startSweeping(
  clock: Clock,
  sweeps: Sweep[],
  upkeep: Upkeep[],
  onError: (error: unknown, name: string) => void,
) {
  let stopped = false
  let turnedAt = performance.now()
  const lastRun = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()

  async function runAll(): Promise<void> {
    for (const task of upkeep) {
      if (stopped || performance.now() - (lastRun.get(task.name) ?? -Infinity) < task.everyMs) continue
      lastRun.set(task.name, performance.now())
      await task.run().catch((error: unknown) => onError(error, task.name))
      turnedAt = performance.now()
    }
    const now = clock.now()
    for (const sweep of sweeps) {
      if (!stopped) await sweep.run(now).catch((error: unknown) => onError(error, sweep.name))
      turnedAt = performance.now()
    }
  }

  function loop(): void {
    round = runAll().finally(() => {
      if (!stopped) timer = setTimeout(loop, 500)
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

/** The earliest instant at which any sweep has something due, or null when none has. */
export async function earliestDue(sweeps: Sweep[]): Promise<Temporal.Instant | null> {
  const dues = (await Promise.all(sweeps.map((sweep) => sweep.next()))).filter((due) => due !== null)
  return dues.sort(Temporal.Instant.compare)[0] ?? null
}
