import type { DisputeView } from '#app/operator/disputes.routes.ts'
import { requestAndPrint, type Command, type CommandContext, type CommandArguments } from '../command.ts'
import { formatWirePrice } from '../format-order.ts'

export const disputeCommands: Command[] = [
  {
    usage: 'disputes list',
    summary: 'list disputed payments and until when each can be contested; with --all also those that are over',
    options: { all: { type: 'boolean' } },
    run: (context, { options }) => listDisputes(context, options['all'] === true),
  },
  {
    usage: 'disputes close REFERENCE',
    checkCommand: 'disputes list --all',
    summary:
      'close a dispute about which the gateway will report nothing more: with --outcome won, lost or nothing, and a --note',
    options: { outcome: { type: 'string' }, note: { type: 'string' } },
    run: closeDispute,
  },
]

const listDisputes = (context: CommandContext, all: boolean): Promise<number> =>
  requestAndPrint(context, ['GET', `/disputes${all ? '?all=yes' : ''}`], (disputes: DisputeView[]) => [
    ...(disputes.length === 0 ? ['No disputes.'] : []),
    ...disputes.map(
      ({ order_code, state, amount, currency, reason, due, created, psp_reference, outcome, answer }) =>
        `${order_code}  ${outcome ? `closed as ${outcome}` : state}${answer ? `, ${answer}` : ''}  ` +
        `${formatWirePrice(amount)} ${currency}  ${created}  ` +
        `${due ? `due ${due}` : 'no date given'}  ${psp_reference}  ${reason}`,
    ),
  ])

function closeDispute(
  context: CommandContext,
  { names: [reference = ''], options }: CommandArguments,
): Promise<number> {
  const { outcome, note } = options
  const json = { outcome, ...(typeof note === 'string' && { note }) }
  const outcomeDescription =
    outcome === 'lost' ? 'stays with the bank and cannot be refunded as well' : 'can be refunded again'
  return requestAndPrint(
    context,
    ['POST', `/disputes/${encodeURIComponent(reference)}/close`, { json }],
    ({ order_code: code, amount, currency }: DisputeView) => [
      `Closed as ${String(outcome)}: ${formatWirePrice(amount)} ${currency} of ${code} ${outcomeDescription}.`,
    ],
  )
}
