import type { ReconcileLine } from '#app/operator/reconcile.routes.ts'
import type { Undone } from '#features/reconciliation/server/undo-lost.ts'
import { call, callForLines } from '../call.ts'
import {
  type Command,
  type CommandDesk,
  counted,
  exits,
  type Given,
  isSure,
  printable,
  refuse,
  show,
} from '../command.ts'
import { openFile } from '../open-file.ts'

export const reconcileCommands: Command[] = [
  {
    usage: 'reconcile',
    look: 'reconcile',
    says:
      'compare the orders of the last week, or --since 2026-12-01, with the gateway and the network; every difference becomes ' +
      'a task. Run it after a restore, or daily; it can be repeated safely. With --gateway-report FILE|- (CSV) also list the ' +
      'orders that only the gateway and the network know, and print the commands that would undo them',
    options: { since: { type: 'string' }, 'gateway-report': { type: 'string' } },
    run: reconcile,
  },
  {
    usage: 'gateway refund PSP_REFERENCE',
    look: 'reconcile',
    says: 'refund a payment that is not in our tables: --payment REFERENCE --amount 5.00; asks for confirmation, unless --yes is given',
    options: { payment: { type: 'string' }, amount: { type: 'string' } },
    run: (desk, { names: [psp = ''], options: { payment, amount } }) =>
      undo(desk, 'refund', {
        question: `Refund ${amount ?? ''} of the payment ${payment ?? ''} (${psp}), which is not in our tables?`,
        json: { psp_reference: decodeURIComponent(psp), payment, amount },
      }),
  },
  {
    usage: 'gateway cancel PSP_REFERENCE',
    look: 'reconcile',
    says: 'release the reserved money of a payment that is not in our tables: --payment REFERENCE; asks first, unless --yes is given',
    options: { payment: { type: 'string' } },
    run: (desk, { names: [psp = ''], options: { payment } }) =>
      undo(desk, 'cancel', {
        question: `Release the money reserved by the payment ${payment ?? ''} (${psp}), which is not in our tables?`,
        json: { psp_reference: decodeURIComponent(psp), payment },
      }),
  },
  {
    usage: 'network remove OPERATION',
    look: 'reconcile',
    says:
      'have the network remove a line, plan or add-on whose order is not in our tables: --iccid ICCID --msisdn NUMBER; asks for ' +
      'confirmation, unless --yes is given',
    options: { iccid: { type: 'string' }, msisdn: { type: 'string' } },
    run: (desk, { names: [operation = ''], options: { iccid, msisdn } }) =>
      undo(desk, 'remove', {
        question: `Have the network remove what ${operation} added for ${msisdn ?? ''}? A customer may be using it.`,
        json: { external_id: decodeURIComponent(operation), iccid, msisdn },
      }),
  },
]

/** A repeated undo has no further effect. */
async function undo(
  desk: CommandDesk,
  act: 'refund' | 'cancel' | 'remove',
  { question, json }: { question: string; json: Record<string, unknown> },
): Promise<number> {
  if (!(await isSure(desk, question))) return exits.refused
  const answer = await call(desk.caller, 'POST', `/lost-orders/${act}`, { json })
  if (answer.status !== 200) return refuse(desk, answer)
  const undone = answer.body as Undone
  if (undone.outcome === 'unknown') {
    show(desk, undone, ['The outcome is not known yet. Run the same command again; it takes effect only once.'])
    return exits.unknown
  }
  const isRunning = undone.outcome === 'under_way'
  return show(desk, undone, [
    isRunning
      ? 'The network is working on it. Run the same command again to see whether it is done.'
      : 'The provider accepted it.',
  ])
}

async function reconcile(desk: CommandDesk, { options }: Given): Promise<number> {
  const { since, 'gateway-report': path } = options
  if (typeof path !== 'string') return compare(desk, '/reconcile', { json: typeof since === 'string' ? { since } : {} })
  const file = await openFile(desk, path)
  if (!file) return exits.refused
  try {
    const query = typeof since === 'string' ? `?${new URLSearchParams({ since })}` : ''
    return await compare(desk, `/reconcile${query}`, { text: file })
  } finally {
    file.destroy()
  }
}

async function compare(desk: CommandDesk, path: string, sent: Parameters<typeof callForLines>[3]): Promise<number> {
  const { status, lines } = await callForLines(desk.caller, 'POST', path, sent)
  const counts = { found: 0, silent: 0, checked: 0 }
  let left = ''
  for await (const text of lines) {
    const line = JSON.parse(text) as ReconcileLine & { why?: string }
    if (status !== 200) return refuse(desk, { status, body: line })
    if (line.checked !== undefined) counts.checked = line.checked
    if (line.finding) counts.found++
    if (line.silent) counts.silent++
    left = leftOut(line) ?? left
    tell(desk, text, line)
    if (line.done) return end(desk, counts, left)
  }
  desk.complain('The comparison did not finish. See the product’s log.')
  return exits.refused
}

function leftOut({ not_compared: notCompared, too_young: tooYoung }: ReconcileLine): string | undefined {
  if (notCompared) return ` Without --gateway-report FILE, ${notCompared}.`
  if (!tooYoung) return undefined
  return (
    ` ${counted(tooYoung, 'unknown payment', 'unknown payments')} in the report may still be in progress (less than a day old): ` +
    'compare again tomorrow.'
  )
}

function tell(
  desk: CommandDesk,
  text: string,
  { finding, silent, repeated, order_code, commands = [] }: ReconcileLine,
): void {
  if (desk.json) return desk.say(text)
  if (finding) desk.say(printable(finding))
  for (const command of commands) desk.say(printable(`  npm run operator -- ${command}`))
  if (silent) desk.say(printable(`no answer: ${order_code ?? ''} ${silent}`))
  if (repeated) desk.say(printable(repeated))
}

function end(
  desk: CommandDesk,
  { found, silent, checked }: { found: number; silent: number; checked: number },
  left: string,
): number {
  if (!desk.json)
    desk.say(
      `${counted(checked, 'order', 'orders')} compared: ` +
        (found === 0 ? 'no differences' : `${counted(found, 'difference', 'differences')}, each with a task`) +
        (silent === 0 ? '.' : `; ${counted(silent, 'question', 'questions')} without an answer.`) +
        left,
    )
  if (found > 0) return exits.refused
  return silent > 0 ? exits.unknown : exits.done
}
