import type { Fault } from '#kit/server/config/json-files.ts'
import type { Target } from './own.ts'
import { type RunReport, runSteps, type StepReport } from './run.ts'
import type { Settings } from './settings.ts'
import type { Step } from './step.ts'
import { createUndo, type Undo } from './undo.ts'

/** What the product needs of one kind of service, as steps that try it. */
export type Suite<File extends SuiteFile, World extends SuiteWorld> = {
  /** Null when it is not right; `fault` has had a line for each place then. `folder` is the file's own. */
  readFile(name: string, text: string, fault: Fault, folder: string): File | null
  target: Target
  open(file: File, undo: Undo): Promise<World>
  steps: readonly Step<World>[]
}

export type SuiteFile = { settings: Settings; step_seconds: number }
export type SuiteWorld = { close(): Promise<void> }

export type SuiteOptions = {
  stop: AbortSignal
  stopAtOnce: AbortSignal
  tell(report: StepReport): void
  /** Hears of each thing that is made, or may be, before it is. */
  tellMade(what: string): void
}

/** A suite with what it is about hidden: it reads a file, and runs with it. */
export type ReadySuite = {
  target: Target
  /** Names of its steps, in their order. */
  steps: string[]
  read(
    name: string,
    text: string,
    fault: Fault,
    folder: string,
  ): { settings: Settings; run(options: SuiteOptions): Promise<RunReport> } | null
}

export const ready = <File extends SuiteFile, World extends SuiteWorld>(suite: Suite<File, World>): ReadySuite => ({
  target: suite.target,
  steps: suite.steps.map(({ name }) => name),
  read(name, text, fault, folder) {
    const file = suite.readFile(name, text, fault, folder)
    return file && { settings: file.settings, run: (options) => runSuite(suite, file, options) }
  },
})

/** Runs a suite against what its file names. */
async function runSuite<File extends SuiteFile, World extends SuiteWorld>(
  { open, steps }: Suite<File, World>,
  file: File,
  { tellMade, ...options }: SuiteOptions,
): Promise<RunReport> {
  const undo = createUndo(tellMade)
  const world = await open(file, undo)
  try {
    return await runSteps(steps, world, { ...options, undo, stepMs: file.step_seconds * 1_000 })
  } finally {
    await world.close()
  }
}
