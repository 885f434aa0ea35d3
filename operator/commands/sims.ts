import type { BadLineView, ImportLine, LoadView } from '#app/operator/sims.routes.ts'
import { BrokenOff, callForLines } from '../call.ts'
import {
  callAndShow,
  type Command,
  type CommandDesk,
  counted,
  exits,
  type Given,
  printable,
  refuse,
} from '../command.ts'
import { openFile } from '../open-file.ts'
import { createProgress } from '../progress.ts'

export const simCommands: Command[] = [
  {
    usage: 'sims import FILE|-',
    look: 'sims status',
    says:
      'load SIM packs from a CSV file (first line iccid,msisdn or iccid,msisdn,puk) or from a pipe; ' +
      'all or none, unless --good-only leaves bad lines out; --dry-run only checks the file',
    options: { 'good-only': { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
    run: importSims,
  },
  {
    usage: 'sims status',
    says: 'show how many SIM packs are unused, and the recent files',
    run: (desk) =>
      callAndShow(desk, ['GET', '/sims/loads'], ({ unused, loads }: { unused: number; loads: LoadView[] }) => [
        `${counted(unused, 'SIM pack is', 'SIM packs are')} unused.`,
        ...loads.map(lineOf),
      ]),
  },
  {
    usage: 'sims status LOAD',
    says: 'show a file with its bad lines',
    run: (desk, { names: [load = ''] }) => showLoad(desk, load),
  },
]

async function importSims(desk: CommandDesk, { names: [name = ''], options }: Given): Promise<number> {
  const path = decodeURIComponent(name)
  const file = await openFile(desk, path)
  if (!file) return exits.refused
  try {
    const wish = new URLSearchParams({
      good_only: String(options['good-only'] === true),
      dry_run: String(options['dry-run'] === true),
    })
    const answer = await callForLines(desk.caller, 'POST', `/sims/loads?${wish}`, { text: file })
    return await tellImport(desk, answer.lines)
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error
    desk.complain(printable(error.message))
    desk.complain('It is not known how much was received. Please import the file again.')
    return exits.unknown
  } finally {
    file.destroy()
  }
}

async function tellImport(desk: CommandDesk, lines: AsyncIterable<string>): Promise<number> {
  const progress = createProgress(desk)
  let isKnown = false
  let load: LoadView | null = null
  try {
    for await (const text of lines) {
      const line = JSON.parse(text) as ImportLine
      if ('why' in line && !('line' in line)) return refuse(desk, { status: 400, body: line })
      if (desk.json) desk.say(text)
      if ('known' in line) isKnown = line.known
      else if ('received' in line) progress.say(`received ${counted(line.received, 'line', 'lines')}`)
      else if ('line' in line) sayBad(desk, line)
      else if ('load' in line) {
        load = line
        if (isOpen(line)) progress.say(`load ${line.load} is ${line.state}: ${line.done} of ${line.lines}`)
      }
    }
  } catch (error) {
    // From here on the product continues the import by itself.
    if (!load) throw error
  }
  if (!load) throw new BrokenOff('POST', 'The connection to the product was lost.')
  return endOf(desk, load, isKnown)
}

const isOpen = ({ state }: LoadView): boolean => ['checking', 'loading', 'withdrawing'].includes(state)

function sayBad(desk: CommandDesk, { line, why }: BadLineView): void {
  if (!desk.json) desk.say(`line ${line}: ${why}`)
}

function endOf(desk: CommandDesk, load: LoadView, isKnown: boolean): number {
  if (load.state === 'waiting') {
    desk.complain(`This file is checked. Someone has to decide at the desk what to load: load ${load.load}.`)
    return exits.refused
  }
  if (isOpen(load)) {
    desk.complain(
      `The product continues with the file. To see the result: sims status ${load.load}, or the same command again.`,
    )
    return exits.unknown
  }
  const { bad, lines, state } = load
  const say = (text: string): void => (desk.json ? undefined : desk.say(text))
  if (state === 'loaded') {
    if (isKnown) say(`This file is already loaded: load ${load.load} of ${load.created}.`)
    say(
      `${counted(load.loaded, 'SIM pack is', 'SIM packs are')} on sale.` +
        (bad > 0 ? ` ${linesOf(bad)} left out.` : ''),
    )
    return exits.done
  }
  const said = bad > 0 ? `${bad} of ${counted(lines, 'line is', 'lines are')} bad.` : 'All lines are good.'
  if (state === 'refused') desk.complain(`Nothing was loaded: ${said}`)
  else say(`Nothing was loaded, because the file was only checked. ${said}`)
  return state === 'checked' && (bad === 0 || (load.good_only && bad < lines)) ? exits.done : exits.refused
}

const linesOf = (count: number): string => counted(count, 'line was', 'lines were')

const lineOf = (view: LoadView): string => {
  const { load, created, state, lines, loaded, bad, by } = view
  return (
    `${load}  ${created}  ${state}, ${counted(lines, 'line', 'lines')}, ${loaded} loaded, ${bad} bad` +
    `${activationsIn(view)}  ${by}`
  )
}

function activationsIn({ activated = 0, failed = 0 }: LoadView): string {
  const all = activated + failed
  if (all === 0) return ''
  return `, ${failed} of ${counted(all, 'activation', 'activations')} failed in 7 days (${Math.round((100 * failed) / all)} %)`
}

async function showLoad(desk: CommandDesk, name: string): Promise<number> {
  const answer = await callForLines(desk.caller, 'GET', `/sims/loads/${name}`)
  for await (const text of answer.lines) {
    const line = JSON.parse(text) as BadLineView | (LoadView & { unused: number }) | { why: string }
    if (desk.json) desk.say(text)
    else if ('line' in line) sayBad(desk, line)
    else if ('load' in line) for (const each of [lineOf(line), `${line.unused} unused`]) desk.say(printable(each))
    else return refuse(desk, { status: answer.status, body: line })
  }
  return answer.status === 200 ? exits.done : exits.refused
}
