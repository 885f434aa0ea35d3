import type { ReconcileLine } from '#app/operator/reconcile.routes.ts'
import { callForLines } from '../call.ts'
import { type Command, type CommandDesk, counted, exits, printable, refuse } from '../command.ts'

export const reconcileCommands: Command[] = [
  {
    usage: 'reconcile',
    look: 'reconcile',
    says:
      'compare the orders of the last week, or --since 2026-12-01, with the gateway and the network; what does not add up ' +
      'is a task. For after a restore, and for every day: repeating it does no harm',
    options: { since: { type: 'string' } },
    run: (desk, { options }) => reconcile(desk, options['since']),
  },
]

async function reconcile(desk: CommandDesk, since: string | boolean | undefined): Promise<number> {
  const json = typeof since === 'string' ? { since } : {}
  const { status, lines } = await callForLines(desk.caller, 'POST', '/reconcile', { json })
  const counts = { found: 0, silent: 0, checked: 0 }
  for await (const text of lines) {
    const line = JSON.parse(text) as ReconcileLine & { why?: string }
    if (status !== 200) return refuse(desk, { status, body: line })
    if (line.checked !== undefined) counts.checked = line.checked
    if (line.finding) counts.found++
    if (line.silent) counts.silent++
    tell(desk, text, line)
    if (line.done) return end(desk, counts)
  }
  desk.complain('It did not come to its end. The product’s log says more.')
  return exits.refused
}

function tell(desk: CommandDesk, text: string, { finding, silent, repeated, order_code }: ReconcileLine): void {
  if (desk.json) return desk.say(text)
  if (finding) desk.say(printable(finding))
  if (silent) desk.say(printable(`no answer: ${order_code ?? ''} ${silent}`))
  if (repeated) desk.say(printable(repeated))
}

function end(
  desk: CommandDesk,
  { found, silent, checked }: { found: number; silent: number; checked: number },
): number {
  if (!desk.json)
    desk.say(
      `${counted(checked, 'order', 'orders')} compared: ` +
        (found === 0 ? 'all adds up' : `${counted(found, 'finding', 'findings')}, each of which is a task`) +
        (silent === 0 ? '.' : `; ${counted(silent, 'question', 'questions')} without an answer.`),
    )
  if (found > 0) return exits.refused
  return silent > 0 ? exits.unknown : exits.done
}
