import type { FastifyInstance } from 'fastify'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { HearCall } from '#kit/server/outside-calls.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'

/** One turn of something that a worker does. */
export type Task = { kind: 'job' | 'upkeep' | 'sweep'; name: string }

/** Who looks at what a process does: metrics, traces. None of it may throw, or hold anything up. */
export type Watch = {
  /** Adds its hooks; comes before the server's routes. */
  requests(app: FastifyInstance): void
  /** Runs a turn, and throws what it throws. */
  around(task: Task, run: () => Promise<void>): Promise<void>
  hear: HearCall
}

/** Has all of them around one turn, the first outermost. */
const aroundAll = (watches: readonly Watch[], task: Task, run: () => Promise<void>): Promise<void> =>
  watches.reduceRight<() => Promise<void>>((inner, watch) => () => watch.around(task, inner), run)()

/** Jobs, upkeep and sweeps as they are, with every turn looked at. */
export const watched = (watches: readonly Watch[]) => ({
  jobs: (jobs: JobDefinition[]): JobDefinition[] =>
    jobs.map((job) => ({
      ...job,
      run: (data) => aroundAll(watches, { kind: 'job', name: job.name }, () => job.run(data)),
    })),
  upkeep: (tasks: Upkeep[]): Upkeep[] =>
    tasks.map((task) => ({
      ...task,
      run: () => aroundAll(watches, { kind: 'upkeep', name: task.name }, () => task.run()),
    })),
  sweeps: (sweeps: Sweep[]): Sweep[] =>
    sweeps.map((sweep) => ({
      ...sweep,
      run: (now) => aroundAll(watches, { kind: 'sweep', name: sweep.name }, () => sweep.run(now)),
    })),
})
