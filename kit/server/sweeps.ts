import type { Clock } from './clock.ts'
import type { DueCondition } from './due-conditions.ts'

/**
 * Work on rows that become due on the application's clock, as given by a column such as `due_at`. `next` returns the time at which the
 * earliest row is due, and `run` does the work that is due by a given time. `run` must be safe to run twice, or in two processes. Without
 * `isDue`, the sweep runs in every round.
 */
export type Sweep = {
  name: string
  isDue?: DueCondition
  next(): Promise<Temporal.Instant | null>
  run(now: Temporal.Instant): Promise<void>
}

/**
 * A periodic task in real time: it finds due rows and starts their jobs, or removes old counts and a crashed process's leftovers. It runs
 * at most once per `everyMs`, and if it has `isDue`, only when there is something to do.
 */
export type Upkeep = {
  name: string
  everyMs: number
  isDue?: DueCondition
  /** Set for quick upkeep, such as finding due rows and starting their jobs, which must not wait for long tasks. */
  isQuick?: true
  run(): Promise<void>
}

export type SweepPolling = {
  ask(dues: readonly DueCondition[], now: Temporal.Instant): Promise<boolean[]>
  quickMs: number
  slowMs: number
  isLively(): boolean
}

/** Milliseconds between an idle process's rounds of sweeps. Due work waits less than a second, but an idle process makes few queries. */
export const idlePollMs = 800

const maxSilentMs = 60_000

type Task = {
  name: string
  everyMs: number
  isDue?: DueCondition
  run(now: Temporal.Instant): Promise<void>
  lastRunAt: number
  /** Whether the task's last run failed. It then runs again even if nothing is due, so that its recovery is reported. */
  isFailing: boolean
}

export function startSweeping(
  clock: Clock,
  { sweeps, upkeep, onError }: { sweeps: Sweep[]; upkeep: Upkeep[]; onError(error: unknown, name: string): void },
  { ask, quickMs, slowMs, isLively }: SweepPolling,
) {
  // Quick upkeep has its own lane, so that a job left behind by another process starts soon even if a sweep takes long.
  const quickTasks = upkeep.filter(({ isQuick }) => isQuick)
  const otherTasks = [...upkeep.filter(({ isQuick }) => !isQuick), ...sweeps.map((sweep) => ({ ...sweep, everyMs: 0 }))]
  const lanes = [quickTasks, otherTasks].map((tasks) => createLane(tasks.map(createTask), onError))
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()

  async function pollTasks(): Promise<void> {
    const now = clock.now()
    const freeLanes = lanes.flatMap((lane) => (lane.isFree() ? [{ lane, tasks: lane.next() }] : []))
    const isDue = await findDueTasks(
      freeLanes.flatMap(({ tasks }) => tasks),
      (dues) => ask(dues, now),
    )
    for (const { lane, tasks } of freeLanes) lane.run(tasks, now, isDue)
  }

  function pollRepeatedly(): void {
    polling = pollTasks().finally(() => {
      if (!stopped) timer = setTimeout(pollRepeatedly, isLively() ? quickMs : slowMs)
    })
  }
  pollRepeatedly()

  const msSinceProgress = (): number => performance.now() - Math.min(...lanes.map((lane) => lane.turnedAt()))
  return {
    isTurning: (): boolean => msSinceProgress() < maxSilentMs,
    secondsSinceTurn: (): number => msSinceProgress() / 1_000,
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      for (const lane of lanes) lane.stop()
      await polling
      await Promise.all(lanes.map((lane) => lane.ended()))
    },
  }
}

const createTask = (task: Omit<Task, 'lastRunAt' | 'isFailing'>): Task => ({
  ...task,
  lastRunAt: -Infinity,
  isFailing: false,
})

type IsDue = (task: Task) => Promise<boolean>

/**
 * Finds the due tasks in a single statement. If that fails, each task's condition is evaluated on its own when its turn comes, so that one
 * broken condition does not affect the other tasks.
 */
async function findDueTasks(tasks: readonly Task[], ask: (dues: DueCondition[]) => Promise<boolean[]>): Promise<IsDue> {
  const conditionalTasks = tasks.filter(({ isDue, isFailing }) => isDue && !isFailing)
  if (conditionalTasks.length === 0) return async () => true
  const answers = await ask(conditionalTasks.flatMap(({ isDue }) => isDue ?? [])).catch(() => null)
  if (!answers) return async ({ isDue, isFailing }) => !isDue || isFailing || (await ask([isDue]))[0] === true
  const idle = new Set(conditionalTasks.filter((_, at) => !answers[at]))
  return async (task) => !idle.has(task)
}

function createLane(tasks: readonly Task[], onError: (error: unknown, name: string) => void) {
  let stopped = false
  let running: Promise<void> | null = null
  let lastProgressAt = performance.now()

  async function run(task: Task, now: Temporal.Instant, isDue: IsDue): Promise<void> {
    try {
      if (!(await isDue(task))) return
      task.lastRunAt = performance.now()
      await task.run(now)
      task.isFailing = false
    } catch (error) {
      task.isFailing = true
      onError(error, task.name)
    } finally {
      lastProgressAt = performance.now()
    }
  }

  async function runAllTasks(all: readonly Task[], now: Temporal.Instant, isDue: IsDue): Promise<void> {
    for (const task of all) if (!stopped) await run(task, now, isDue)
  }

  return {
    isFree: (): boolean => running === null,
    next: (): Task[] => tasks.filter(({ lastRunAt, everyMs }) => performance.now() - lastRunAt >= everyMs),
    run(all: readonly Task[], now: Temporal.Instant, isDue: IsDue): void {
      lastProgressAt = performance.now()
      running = runAllTasks(all, now, isDue).finally(() => (running = null))
    },
    turnedAt: (): number => lastProgressAt,
    stop: (): void => void (stopped = true),
    ended: async (): Promise<void> => void (await running),
  }
}

export async function findEarliestDueTime(sweeps: Sweep[]): Promise<Temporal.Instant | null> {
  const dues = (await Promise.all(sweeps.map((sweep) => sweep.next()))).filter((due) => due !== null)
  return dues.sort(Temporal.Instant.compare)[0] ?? null
}
