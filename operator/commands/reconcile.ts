import type { ReconciliationLine } from '#app/operator/reconcile.routes.ts'
import type { ReversalResult } from '#features/reconciliation/server/undo-lost-operations.ts'
import { call, requestJsonLines } from '../send-request.ts'
import {
  type Command,
  type CommandContext,
  pluralize,
  exitCodes,
  operatorCommand,
  type CommandArguments,
  confirmWithOperator,
  stripControlCharacters,
  printRejection,
  printResponse,
} from '../command.ts'
import { openFile } from '../open-file.ts'

export const reconcileCommands: Command[] = [
  {
    usage: 'reconcile',
    checkCommand: 'reconcile',
    summary:
      'compare the orders of the last week, or --since 2026-12-01, with the gateway and the network; every difference becomes ' +
      'a task. Run it after a restore, or daily; it can be repeated safely. With --gateway-report FILE|- (CSV) also list the ' +
      'orders that only the gateway and the network know, and print the commands that would undo them',
    options: { since: { type: 'string' }, 'gateway-report': { type: 'string' } },
    run: runReconcile,
  },
  {
    usage: 'gateway refund PSP_REFERENCE',
    checkCommand: 'reconcile',
    summary:
      'refund a payment that is not in our tables: --payment REFERENCE --amount 5.00; asks for confirmation, unless --yes is given',
    options: { payment: { type: 'string' }, amount: { type: 'string' } },
    run: (context, { names: [psp = ''], options: { payment, amount } }) =>
      undo(context, 'refund', {
        question: `Refund ${amount ?? ''} of the payment ${payment ?? ''} (${psp}), which is not in our tables?`,
        json: { psp_reference: decodeURIComponent(psp), payment, amount },
      }),
  },
  {
    usage: 'gateway cancel PSP_REFERENCE',
    checkCommand: 'reconcile',
    summary:
      'release the reserved money of a payment that is not in our tables: --payment REFERENCE; asks first, unless --yes is given',
    options: { payment: { type: 'string' } },
    run: (context, { names: [psp = ''], options: { payment } }) =>
      undo(context, 'cancel', {
        question: `Release the money reserved by the payment ${payment ?? ''} (${psp}), which is not in our tables?`,
        json: { psp_reference: decodeURIComponent(psp), payment },
      }),
  },
  {
    usage: 'network remove OPERATION',
    checkCommand: 'reconcile',
    summary:
      'have the network remove a line, plan or add-on whose order is not in our tables: --iccid ICCID --msisdn NUMBER; asks for ' +
      'confirmation, unless --yes is given',
    options: { iccid: { type: 'string' }, msisdn: { type: 'string' } },
    run: (context, { names: [operation = ''], options: { iccid, msisdn } }) =>
      undo(context, 'remove', {
        question: `Have the network remove what ${operation} added for ${msisdn ?? ''}? A customer may be using it.`,
        json: { external_id: decodeURIComponent(operation), iccid, msisdn },
      }),
  },
]

/**
 * After confirmation, tells a provider to refund, cancel or remove something whose order is missing from our tables. Repeating the request
 * has no further effect.
 */
async function undo(
  context: CommandContext,
  act: 'refund' | 'cancel' | 'remove',
  { question, json }: { question: string; json: Record<string, unknown> },
): Promise<number> {
  if (!(await confirmWithOperator(context, question))) return exitCodes.refused
  const answer = await call(context.caller, 'POST', `/lost-orders/${act}`, { json })
  if (answer.status !== 200) return printRejection(context, answer)
  const result = answer.body as ReversalResult
  if (result.outcome === 'unknown') {
    printResponse(context, result, [
      'The outcome is not known yet. Run the same command again; it takes effect only once.',
    ])
    return exitCodes.unknown
  }
  const isRunning = result.outcome === 'under_way'
  return printResponse(context, result, [
    isRunning
      ? 'The network is working on it. Run the same command again to see whether it is done.'
      : 'The provider has accepted the request.',
  ])
}

async function runReconcile(context: CommandContext, { options }: CommandArguments): Promise<number> {
  const { since, 'gateway-report': path } = options
  if (typeof path !== 'string')
    return compareRecords(context, '/reconcile', { json: typeof since === 'string' ? { since } : {} })
  const file = await openFile(context, path)
  if (!file) return exitCodes.refused
  try {
    const query = typeof since === 'string' ? `?${new URLSearchParams({ since })}` : ''
    return await compareRecords(context, `/reconcile${query}`, { text: file })
  } finally {
    file.destroy()
  }
}

async function compareRecords(
  context: CommandContext,
  path: string,
  sent: Parameters<typeof requestJsonLines>[3],
): Promise<number> {
  const { status, lines } = await requestJsonLines(context.caller, 'POST', path, sent)
  const counts = { found: 0, silent: 0, checked: 0 }
  let notCompared = ''
  for await (const text of lines) {
    const line = JSON.parse(text) as ReconciliationLine & { why?: string }
    if (status !== 200) return printRejection(context, { status, body: line })
    if (line.checked !== undefined) counts.checked = line.checked
    if (line.finding) counts.found++
    if (line.silent) counts.silent++
    notCompared = describeUncomparedRecords(line) ?? notCompared
    printLine(context, text, line)
    if (line.done) return printSummary(context, counts, notCompared)
  }
  context.printError('The comparison did not finish. See Fantail’s log.')
  return exitCodes.refused
}

function describeUncomparedRecords({
  not_compared: notCompared,
  too_young: tooYoung,
}: ReconciliationLine): string | undefined {
  if (notCompared) return ` Without --gateway-report FILE, ${notCompared}.`
  if (!tooYoung) return undefined
  return (
    ` ${pluralize(tooYoung, 'unknown payment', 'unknown payments')} in the report may still be in progress (less than a day old): ` +
    'compare again tomorrow.'
  )
}

function printLine(
  context: CommandContext,
  text: string,
  { finding, silent, repeated, order_code, commands = [] }: ReconciliationLine,
): void {
  if (context.json) return context.print(text)
  if (finding) context.print(stripControlCharacters(finding))
  for (const command of commands) context.print(stripControlCharacters(`  ${operatorCommand(context)} ${command}`))
  if (silent) context.print(stripControlCharacters(`no answer: ${order_code ?? ''} ${silent}`))
  if (repeated) context.print(stripControlCharacters(repeated))
}

function printSummary(
  context: CommandContext,
  { found, silent, checked }: { found: number; silent: number; checked: number },
  notCompared: string,
): number {
  if (!context.json)
    context.print(
      `${pluralize(checked, 'order', 'orders')} compared: ` +
        (found === 0 ? 'no differences' : `${pluralize(found, 'difference', 'differences')}, each with a task`) +
        (silent === 0 ? '.' : `; ${pluralize(silent, 'question', 'questions')} without an answer.`) +
        notCompared,
    )
  if (found > 0) return exitCodes.refused
  return silent > 0 ? exitCodes.unknown : exitCodes.done
}
