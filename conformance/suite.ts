import type { ReportFault } from '#kit/server/config/parse-json.ts'
import type { Target } from './target-check.ts'
import { type RunReport, runSteps, type StepReport } from './run-steps.ts'
import type { Settings } from './settings.ts'
import type { Step } from './step.ts'
import { createUndoTracker, type Undo } from './undo.ts'

export type Suite<File extends SuiteFile, World extends SuiteContext> = {
  /** Reads a settings file from `folder`. `null` if the file has faults; each fault is reported through `fault`. */
  readFile(name: string, text: string, fault: ReportFault, folder: string): File | null
  target: Target
  open(file: File, undo: Undo): Promise<World>
  steps: readonly Step<World>[]
}

export type SuiteFile = { settings: Settings; step_seconds: number }
export type SuiteContext = { close(): Promise<void> }

export type SuiteOptions = {
  stop: AbortSignal
  stopAtOnce: AbortSignal
  tell(report: StepReport): void
  /** Called with a description of an effect, before the request that may cause it is sent. */
  tellMade(what: string): void
}

export type PreparedSuite = {
  target: Target
  steps: string[]
  read(
    name: string,
    text: string,
    fault: ReportFault,
    folder: string,
  ): { settings: Settings; run(options: SuiteOptions): Promise<RunReport> } | null
}

export const prepareSuite = <File extends SuiteFile, World extends SuiteContext>(
  suite: Suite<File, World>,
): PreparedSuite => ({
  target: suite.target,
  steps: suite.steps.map(({ name }) => name),
  read(name, text, fault, folder) {
    const file = suite.readFile(name, text, fault, folder)
    return file && { settings: file.settings, run: (options) => runSuite(suite, file, options) }
  },
})

async function runSuite<File extends SuiteFile, World extends SuiteContext>(
  { open, steps }: Suite<File, World>,
  file: File,
  { tellMade, ...options }: SuiteOptions,
): Promise<RunReport> {
  const undo = createUndoTracker(tellMade)
  const world = await open(file, undo)
  try {
    return await runSteps(steps, world, { ...options, undo, stepMs: file.step_seconds * 1_000 })
  } finally {
    await world.close()
  }
}
