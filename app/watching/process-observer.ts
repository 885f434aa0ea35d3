import type { FastifyInstance } from 'fastify'
import type { JobDefinition } from '#kit/server/jobs.ts'
import type { ExternalCallListener } from '#kit/server/external-calls.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'

export type ObservedTask = { kind: 'job' | 'upkeep' | 'sweep'; name: string }

/** Observes a process's work, for example for metrics or traces. Its methods must not throw errors of their own or delay the work. */
export type ProcessObserver = {
  /** Observes the server's requests. Must be called before the server's routes are registered. */
  requests(app: FastifyInstance): void
  around(task: ObservedTask, run: () => Promise<void>): Promise<void>
  hear: ExternalCallListener
}

const runWithObservers = (
  watches: readonly ProcessObserver[],
  task: ObservedTask,
  run: () => Promise<void>,
): Promise<void> => watches.reduceRight<() => Promise<void>>((inner, watch) => () => watch.around(task, inner), run)()

export const observeTasks = (watches: readonly ProcessObserver[]) => ({
  jobs: (jobs: JobDefinition[]): JobDefinition[] =>
    jobs.map((job) => ({
      ...job,
      run: (data) => runWithObservers(watches, { kind: 'job', name: job.name }, () => job.run(data)),
    })),
  upkeep: (tasks: Upkeep[]): Upkeep[] =>
    tasks.map((task) => ({
      ...task,
      run: () => runWithObservers(watches, { kind: 'upkeep', name: task.name }, () => task.run()),
    })),
  sweeps: (sweeps: Sweep[]): Sweep[] =>
    sweeps.map((sweep) => ({
      ...sweep,
      run: (now) => runWithObservers(watches, { kind: 'sweep', name: sweep.name }, () => sweep.run(now)),
    })),
})
