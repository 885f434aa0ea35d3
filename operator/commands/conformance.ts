import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { refusalReason } from '#conformance/target-check.ts'
import type { RunReport, StepReport } from '#conformance/run-steps.ts'
import { type SuiteName, suites } from '#conformance/suites.ts'
import {
  type Command,
  type CommandContext,
  pluralize,
  exitCodes,
  type CommandArguments,
  formatJson,
  stripControlCharacters,
} from '../command.ts'

const suiteDescriptions: Record<SuiteName, string> = {
  network:
    'test whether the mobile network’s sandbox described in --file FILE does what Fantail needs, and remove what was ' +
    'created; --live HOST if it may be the system that Fantail uses. Fantail need not be running: docs/conformance.md',
  gateway: 'test a card gateway in the same way',
  mail: 'test a mail relay in the same way',
  sms: 'test an SMS carrier in the same way',
}

export const conformanceCommands: Command[] = (Object.keys(suiteDescriptions) as SuiteName[]).map((name) => ({
  usage: `conformance ${name}`,
  summary: suiteDescriptions[name],
  options: { file: { type: 'string' }, live: { type: 'string' } },
  run: (context, args) => runConformance(context, name, args),
}))

async function runConformance(
  context: CommandContext,
  name: SuiteName,
  { options }: CommandArguments,
): Promise<number> {
  const path = options['file']
  if (typeof path !== 'string') {
    context.printError(`--file is missing: conformance ${name} --file FILE`)
    return exitCodes.usage
  }
  const suite = suites[name]
  const faults: string[] = []
  const text = await readTextFile(path, (line) => faults.push(line))
  const preparedSuite =
    text === null ? null : suite.read(basename(path), text, (line) => faults.push(line), dirname(path))
  if (!preparedSuite) {
    for (const line of faults) context.printError(stripControlCharacters(line))
    return exitCodes.usage
  }
  const live = typeof options['live'] === 'string' ? options['live'].toLowerCase() : null
  const refusal = refusalReason(preparedSuite.settings, suite.target, { environment: context.environment ?? {}, live })
  if (refusal) {
    context.printError(stripControlCharacters(refusal))
    return exitCodes.refused
  }
  const interruptListener = listenForInterrupts(context)
  try {
    const report = await preparedSuite.run({
      ...interruptListener.signals,
      tell: (step) => printStep(context, step),
      tellMade: (what) => context.printError(stripControlCharacters(`to be removed: ${what}`)),
    })
    return printSummary(context, report)
  } finally {
    interruptListener.forget()
  }
}

const maxFileLength = 1_000_000

async function readTextFile(path: string, fault: (line: string) => void): Promise<string | null> {
  try {
    const text = await readFile(path, 'utf8')
    if (text.length <= maxFileLength) return text
    fault(`${path} is too large.`)
  } catch (error) {
    fault(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return null
}

/** Handles interrupts. The first one stops the steps and undoes what they created. A second one stops the undoing as well. */
function listenForInterrupts(context: CommandContext) {
  const [stop, atOnce] = [new AbortController(), new AbortController()]
  const handleInterrupt = (): void => {
    if (stop.signal.aborted) return atOnce.abort()
    stop.abort()
    context.printError('Interrupted. Removing everything that the run created. Press Ctrl-C again to list it instead.')
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, handleInterrupt)
  return {
    signals: { stop: stop.signal, stopAtOnce: atOnce.signal },
    forget: () => signals.forEach((signal) => process.off(signal, handleInterrupt)),
  }
}

function printStep(context: CommandContext, report: StepReport): void {
  if (context.json) return context.print(formatJson(report))
  const { step, verdict, tried, came, differs, matters, skipped } = report
  const lines = [
    `${step}: ${verdict}`,
    `  test: ${tried}`,
    ...came.map((text) => `  result: ${text}`),
    ...differs.map((text) => `  differs: ${text}`),
    ...(matters === null ? [] : [`  consequence: ${matters}`]),
    ...(skipped === null ? [] : [`  reason: ${skipped}`]),
  ]
  for (const line of lines) context.print(stripControlCharacters(line))
}

function printSummary(context: CommandContext, report: RunReport): number {
  const { passed, differs, skipped, left, by_hand: byHand, interrupted } = report
  const hasPassed = differs === 0 && left.length === 0 && !interrupted
  if (context.json) context.print(formatJson({ done: true, ...report }))
  else {
    for (const text of byHand) context.print(stripControlCharacters(`check by hand: ${text}`))
    context.print(
      `${pluralize(passed + differs + skipped, 'step', 'steps')}: ${passed} passed, ${differs} differ, ${skipped} skipped.` +
        (interrupted ? ' The run was interrupted.' : ''),
    )
    for (const { what, why } of left) context.print(stripControlCharacters(`left behind: ${what}: ${why}`))
    if (left.length === 0) context.print('Nothing was left behind.')
  }
  return hasPassed ? exitCodes.done : exitCodes.refused
}
