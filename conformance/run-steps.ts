import { setTimeout as delay } from 'node:timers/promises'
import { type Notes, SkippedError, type Step } from './step.ts'
import type { RemainingEffect, Undo } from './undo.ts'

export type StepReport = {
  step: string
  verdict: 'passed' | 'differs' | 'skipped'
  tried: string
  came: string[]
  differs: string[]
  matters: string | null
  skipped: string | null
}

export type RunReport = {
  passed: number
  differs: number
  skipped: number
  by_hand: string[]
  left: RemainingEffect[]
  interrupted: boolean
}

export type RunOptions = {
  undo: Undo
  stepMs: number
  /** How many more milliseconds a step gets to finish after its timeout. The default is longer than any request timeout in an adapter. */
  graceMs?: number
  /** Aborts the steps. Everything that they created is still removed. */
  stop: AbortSignal
  /** Aborts the steps, and also the removal of whatever they created. */
  stopAtOnce: AbortSignal
  tell(report: StepReport): void
}

/** Runs a suite's steps. Whatever the results, it then undoes the steps' effects. */
export async function runSteps<World>(
  steps: readonly Step<World>[],
  world: World,
  { undo, stepMs, graceMs = 20_000, stop, stopAtOnce, tell }: RunOptions,
): Promise<RunReport> {
  const counts = { passed: 0, differs: 0, skipped: 0 }
  const manualChecks: string[] = []
  for (const step of steps) {
    if (stop.aborted) break
    const report = await runStep(step, world, { byHand: manualChecks, stop, stepMs, graceMs })
    counts[report.verdict]++
    tell(report)
  }
  const left = await undo.all({ ms: stepMs, signal: stopAtOnce })
  return { ...counts, by_hand: manualChecks, left, interrupted: stop.aborted }
}

async function runStep<World>(
  { name, tries, matters, run }: Step<World>,
  world: World,
  { byHand, stop, stepMs, graceMs }: { byHand: string[]; stop: AbortSignal; stepMs: number; graceMs: number },
): Promise<StepReport> {
  const came: string[] = []
  const differences: string[] = []
  const timeout = AbortSignal.timeout(stepMs)
  const signal = AbortSignal.any([stop, timeout])
  const notes: Notes = {
    came: (text) => void came.push(text),
    differs: (text) => void differences.push(text),
    byHand: (text) => void byHand.push(text),
    signal,
  }
  let skipped: string | null = null
  try {
    await waitForStep(run(world, notes), signal, graceMs)
  } catch (error) {
    if (error instanceof SkippedError) skipped = error.message
    else if (stop.aborted) skipped = 'the run was interrupted'
    else if (timeout.aborted) differences.push(`the step took longer than ${stepMs / 1_000} seconds`)
    else differences.push(error instanceof Error ? error.message : String(error))
  }
  const verdict = differences.length > 0 ? 'differs' : skipped === null ? 'passed' : 'skipped'
  return {
    step: name,
    verdict,
    tried: tries,
    came,
    differs: differences,
    matters: differences.length > 0 ? matters : null,
    skipped,
  }
}

async function waitForStep(running: Promise<void>, signal: AbortSignal, graceMs: number): Promise<void> {
  const abortController = new AbortController()
  const rejectOnTimeout = async (): Promise<void> => {
    const stepOrTimeoutSignal = AbortSignal.any([signal, abortController.signal])
    await new Promise<void>((resolve) =>
      stepOrTimeoutSignal.aborted
        ? resolve()
        : stepOrTimeoutSignal.addEventListener('abort', () => resolve(), { once: true }),
    )
    await delay(graceMs, undefined, { signal: abortController.signal }).catch(() => undefined)
    if (!abortController.signal.aborted) signal.throwIfAborted()
  }
  try {
    await Promise.race([running, rejectOnTimeout()])
  } finally {
    abortController.abort()
  }
}
