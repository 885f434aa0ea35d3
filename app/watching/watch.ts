import type { FastifyInstance } from 'fastify'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { HearCall } from '#kit/server/outside-calls.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'

export type Task = { kind: 'job' | 'upkeep' | 'sweep'; name: string }

/** An observer of a process, such as metrics or traces. Its methods must not throw on their own or delay the work. */
export type Watch = {
  /** Must be called before the server's routes are registered. */
  requests(app: FastifyInstance): void
  around(task: Task, run: () => Promise<void>): Promise<void>
  hear: HearCall
}

const aroundAll = (watches: readonly Watch[], task: Task, run: () => Promise<void>): Promise<void> =>
  watches.reduceRight<() => Promise<void>>((inner, watch) => () => watch.around(task, inner), run)()

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
