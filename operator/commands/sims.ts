import type { BadLineView, ImportLine, SimLoadView } from '#app/operator/sims.routes.ts'
import { ConnectionBrokenError, requestJsonLines } from '../send-request.ts'
import {
  requestAndPrint,
  type Command,
  type CommandContext,
  pluralize,
  exitCodes,
  type CommandArguments,
  stripControlCharacters,
  printRejection,
} from '../command.ts'
import { openFile } from '../open-file.ts'
import { createProgressPrinter } from '../progress.ts'

export const simCommands: Command[] = [
  {
    usage: 'sims import FILE|-',
    checkCommand: 'sims status',
    summary:
      'load SIM packs from a CSV file (first line iccid,msisdn or iccid,msisdn,puk) or from a pipe; ' +
      'all or none, unless --good-only leaves bad lines out; --dry-run only checks the file',
    options: { 'good-only': { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
    run: importSims,
  },
  {
    usage: 'sims status',
    summary: 'show how many SIM packs are unused, and the recent files',
    run: (context) =>
      requestAndPrint(
        context,
        ['GET', '/sims/loads'],
        ({ unused, loads }: { unused: number; loads: SimLoadView[] }) => [
          `${pluralize(unused, 'SIM pack is', 'SIM packs are')} unused.`,
          ...loads.map(formatLoad),
        ],
      ),
  },
  {
    usage: 'sims status LOAD',
    summary: 'show a file with its bad lines',
    run: (context, { names: [load = ''] }) => showLoad(context, load),
  },
]

async function importSims(context: CommandContext, { names: [name = ''], options }: CommandArguments): Promise<number> {
  const path = decodeURIComponent(name)
  const file = await openFile(context, path)
  if (!file) return exitCodes.refused
  try {
    const query = new URLSearchParams({
      good_only: String(options['good-only'] === true),
      dry_run: String(options['dry-run'] === true),
    })
    const answer = await requestJsonLines(context.caller, 'POST', `/sims/loads?${query}`, { text: file })
    return await printImport(context, answer.lines)
  } catch (error) {
    if (!(error instanceof ConnectionBrokenError)) throw error
    context.printError(stripControlCharacters(error.message))
    context.printError('It is not known how much of the file was received. Please import it again.')
    return exitCodes.unknown
  } finally {
    file.destroy()
  }
}

async function printImport(context: CommandContext, lines: AsyncIterable<string>): Promise<number> {
  const progress = createProgressPrinter(context)
  let isKnown = false
  let load: SimLoadView | null = null
  try {
    for await (const text of lines) {
      const line = JSON.parse(text) as ImportLine
      if ('why' in line && !('line' in line)) return printRejection(context, { status: 400, body: line })
      if (context.json) context.print(text)
      if ('known' in line) isKnown = line.known
      else if ('received' in line) progress.say(`received ${pluralize(line.received, 'line', 'lines')}`)
      else if ('line' in line) printBadLine(context, line)
      else if ('load' in line) {
        load = line
        if (isInProgress(line)) progress.say(`load ${line.load} is ${line.state}: ${line.done} of ${line.lines}`)
      }
    }
  } catch (error) {
    // Once the import has an id, the application continues it on its own, so losing the connection does no harm.
    if (!load) throw error
  }
  if (!load) throw new ConnectionBrokenError('POST', 'The connection to Fantail was lost.')
  return printImportResult(context, load, isKnown)
}

const isInProgress = ({ state }: SimLoadView): boolean => ['checking', 'loading', 'withdrawing'].includes(state)

function printBadLine(context: CommandContext, { line, why }: BadLineView): void {
  if (!context.json) context.print(`line ${line}: ${why}`)
}

function printImportResult(context: CommandContext, load: SimLoadView, isKnown: boolean): number {
  if (load.state === 'waiting') {
    context.printError(
      `This file has been checked (load ${load.load}). Staff now have to choose at the desk which lines to load.`,
    )
    return exitCodes.refused
  }
  if (isInProgress(load)) {
    context.printError(
      `Fantail is still processing the file. To see the result: sims status ${load.load}, or run the same command again.`,
    )
    return exitCodes.unknown
  }
  const { bad, lines, state } = load
  const print = (text: string): void => (context.json ? undefined : context.print(text))
  if (state === 'loaded') {
    if (isKnown) print(`This file was already loaded on ${load.created}, as load ${load.load}.`)
    print(
      `${pluralize(load.loaded, 'SIM pack is', 'SIM packs are')} on sale.` +
        (bad > 0 ? ` ${formatLineCount(bad)} left out.` : ''),
    )
    return exitCodes.done
  }
  const badLinesSummary = bad > 0 ? `${bad} of ${pluralize(lines, 'line is', 'lines are')} bad.` : 'All lines are good.'
  if (state === 'refused') context.printError(`Nothing was loaded: ${badLinesSummary}`)
  else print(`Nothing was loaded, because the file was only checked. ${badLinesSummary}`)
  return state === 'checked' && (bad === 0 || (load.good_only && bad < lines)) ? exitCodes.done : exitCodes.refused
}

const formatLineCount = (count: number): string => pluralize(count, 'line was', 'lines were')

const formatLoad = (view: SimLoadView): string => {
  const { load, created, state, lines, loaded, bad, by } = view
  return (
    `${load}  ${created}  ${state}, ${pluralize(lines, 'line', 'lines')}, ${loaded} loaded, ${bad} bad` +
    `${formatActivations(view)}  ${by}`
  )
}

function formatActivations({ activated = 0, failed = 0 }: SimLoadView): string {
  const all = activated + failed
  if (all === 0) return ''
  return `, ${failed} of ${pluralize(all, 'activation', 'activations')} failed in 7 days (${Math.round((100 * failed) / all)} %)`
}

async function showLoad(context: CommandContext, name: string): Promise<number> {
  const answer = await requestJsonLines(context.caller, 'GET', `/sims/loads/${name}`)
  for await (const text of answer.lines) {
    const line = JSON.parse(text) as BadLineView | (SimLoadView & { unused: number }) | { why: string }
    if (context.json) context.print(text)
    else if ('line' in line) printBadLine(context, line)
    else if ('load' in line)
      for (const each of [formatLoad(line), `${line.unused} unused`]) context.print(stripControlCharacters(each))
    else return printRejection(context, { status: answer.status, body: line })
  }
  return answer.status === 200 ? exitCodes.done : exitCodes.refused
}
