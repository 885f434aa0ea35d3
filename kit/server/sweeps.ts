import type { Clock } from './clock.ts'

/**
 * A product deadline: rows with a `due_at` on the product's clock. `next` says when the earliest is due,
 * `run` does what is due; running it twice, or in two processes, does no harm.
 */
export type Deadline = {
  name: string
  next(): Promise<Temporal.Instant | null>
  run(now: Temporal.Instant): Promise<void>
}

/** Upkeep in real time: what a crashed process left behind, old counts, back-off that is over. */
export type Upkeep = { name: string; everyMs: number; run(): Promise<void> }

/** Runs upkeep and what is due, over and over, until stopped. A failure is reported and the round goes on. */
export function startSweeping(
  clock: Clock,
  deadlines: Deadline[],
  upkeep: Upkeep[],
  onError: (error: unknown, name: string) => void,
) {
  let stopped = false
  const lastRun = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()

  async function sweep(): Promise<void> {
    for (const task of upkeep) {
      if (stopped || performance.now() - (lastRun.get(task.name) ?? -Infinity) < task.everyMs) continue
      lastRun.set(task.name, performance.now())
      await task.run().catch((error: unknown) => onError(error, task.name))
    }
    const now = clock.now()
    for (const deadline of deadlines) {
      if (!stopped) await deadline.run(now).catch((error: unknown) => onError(error, deadline.name))
    }
  }

  function loop(): void {
    round = sweep().finally(() => {
      if (!stopped) timer = setTimeout(loop, 500)
    })
  }
  loop()

  return {
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await round
    },
  }
}

/** The earliest instant at which any deadline is due, or null when none is pending. */
export async function earliestDue(deadlines: Deadline[]): Promise<Temporal.Instant | null> {
  const dues = (await Promise.all(deadlines.map((deadline) => deadline.next()))).filter((due) => due !== null)
  return dues.sort(Temporal.Instant.compare)[0] ?? null
}
