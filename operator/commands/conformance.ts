import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { refusalOf } from '#conformance/own.ts'
import type { RunReport, StepReport } from '#conformance/run.ts'
import { type SuiteName, suites } from '#conformance/suites.ts'
import { type Command, type CommandDesk, counted, exits, type Given, jsonOf, printable } from '../command.ts'

const about: Record<SuiteName, string> = {
  network:
    'test whether the mobile network’s sandbox described in --file FILE does what the product needs, and remove what was ' +
    'created; --live HOST if it may be the system that the product uses. The product need not be running: docs/conformance.md',
  gateway: 'test a card gateway in the same way',
  mail: 'test a mail relay in the same way',
  sms: 'test an SMS carrier in the same way',
}

export const conformanceCommands: Command[] = (Object.keys(about) as SuiteName[]).map((name) => ({
  usage: `conformance ${name}`,
  says: about[name],
  options: { file: { type: 'string' }, live: { type: 'string' } },
  run: (desk, given) => conformance(desk, name, given),
}))

async function conformance(desk: CommandDesk, name: SuiteName, { options }: Given): Promise<number> {
  const path = options['file']
  if (typeof path !== 'string') {
    desk.complain(`--file is missing: conformance ${name} --file FILE`)
    return exits.usage
  }
  const suite = suites[name]
  const faults: string[] = []
  const text = await textOf(path, (line) => faults.push(line))
  const prepared = text === null ? null : suite.read(basename(path), text, (line) => faults.push(line), dirname(path))
  if (!prepared) {
    for (const line of faults) desk.complain(printable(line))
    return exits.usage
  }
  const live = typeof options['live'] === 'string' ? options['live'].toLowerCase() : null
  const refusal = refusalOf(prepared.settings, suite.target, { environment: desk.environment ?? {}, live })
  if (refusal) {
    desk.complain(printable(refusal))
    return exits.refused
  }
  const interrupts = hearInterrupts(desk)
  try {
    const report = await prepared.run({
      ...interrupts.signals,
      tell: (step) => tellStep(desk, step),
      tellMade: (what) => desk.complain(printable(`to be removed: ${what}`)),
    })
    return tellEnd(desk, report)
  } finally {
    interrupts.forget()
  }
}

const longestFile = 1_000_000

async function textOf(path: string, fault: (line: string) => void): Promise<string | null> {
  try {
    const text = await readFile(path, 'utf8')
    if (text.length <= longestFile) return text
    fault(`${path} is too large.`)
  } catch (error) {
    fault(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return null
}

/** The first interrupt ends the steps and undoes what they created. A second interrupt also ends the undoing. */
function hearInterrupts(desk: CommandDesk) {
  const [stop, atOnce] = [new AbortController(), new AbortController()]
  const interrupt = (): void => {
    if (stop.signal.aborted) return atOnce.abort()
    stop.abort()
    desk.complain('Interrupted. Removing what was created. Press Ctrl-C again to list it instead.')
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, interrupt)
  return {
    signals: { stop: stop.signal, stopAtOnce: atOnce.signal },
    forget: () => signals.forEach((signal) => process.off(signal, interrupt)),
  }
}

function tellStep(desk: CommandDesk, report: StepReport): void {
  if (desk.json) return desk.say(jsonOf(report))
  const { step, verdict, tried, came, differs, matters, skipped } = report
  const lines = [
    `${step}: ${verdict}`,
    `  test: ${tried}`,
    ...came.map((text) => `  result: ${text}`),
    ...differs.map((text) => `  differs: ${text}`),
    ...(matters === null ? [] : [`  consequence: ${matters}`]),
    ...(skipped === null ? [] : [`  reason: ${skipped}`]),
  ]
  for (const line of lines) desk.say(printable(line))
}

function tellEnd(desk: CommandDesk, report: RunReport): number {
  const { passed, differs, skipped, left, by_hand: byHand, interrupted } = report
  const isGood = differs === 0 && left.length === 0 && !interrupted
  if (desk.json) desk.say(jsonOf({ done: true, ...report }))
  else {
    for (const text of byHand) desk.say(printable(`check by hand: ${text}`))
    desk.say(
      `${counted(passed + differs + skipped, 'step', 'steps')}: ${passed} passed, ${differs} differ, ${skipped} skipped.` +
        (interrupted ? ' The run was interrupted.' : ''),
    )
    for (const { what, why } of left) desk.say(printable(`left behind: ${what}: ${why}`))
    if (left.length === 0) desk.say('Nothing was left behind.')
  }
  return isGood ? exits.done : exits.refused
}
