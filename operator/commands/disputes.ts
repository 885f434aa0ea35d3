import type { DisputeView } from '#app/operator/disputes.routes.ts'
import { callAndShow, type Command, type CommandDesk, type Given } from '../command.ts'
import { priceOf } from '../order-lines.ts'

export const disputeCommands: Command[] = [
  {
    usage: 'disputes list',
    says: 'list disputed payments and until when each can be contested; with --all also those that are over',
    options: { all: { type: 'boolean' } },
    run: (desk, { options }) => listDisputes(desk, options['all'] === true),
  },
  {
    usage: 'disputes close REFERENCE',
    look: 'disputes list --all',
    says: 'close a dispute about which the gateway sends nothing more: with --outcome won, lost or nothing, and a --note',
    options: { outcome: { type: 'string' }, note: { type: 'string' } },
    run: closeDispute,
  },
]

const listDisputes = (desk: CommandDesk, all: boolean): Promise<number> =>
  callAndShow(desk, ['GET', `/disputes${all ? '?all=yes' : ''}`], (disputes: DisputeView[]) => [
    ...(disputes.length === 0 ? ['No disputes.'] : []),
    ...disputes.map(
      ({ order_code, state, amount, currency, reason, due, created, psp_reference, outcome, answer }) =>
        `${order_code}  ${outcome ? `closed as ${outcome}` : state}${answer ? `, ${answer}` : ''}  ` +
        `${priceOf(amount)} ${currency}  ${created}  ` +
        `${due ? `due ${due}` : 'no date given'}  ${psp_reference}  ${reason}`,
    ),
  ])

function closeDispute(desk: CommandDesk, { names: [reference = ''], options }: Given): Promise<number> {
  const { outcome, note } = options
  const json = { outcome, ...(typeof note === 'string' && { note }) }
  const left = outcome === 'lost' ? 'stays with the bank and cannot be refunded as well' : 'can be refunded again'
  return callAndShow(
    desk,
    ['POST', `/disputes/${encodeURIComponent(reference)}/close`, { json }],
    ({ order_code: code, amount, currency }: DisputeView) => [
      `Closed as ${String(outcome)}: ${priceOf(amount)} ${currency} of ${code} ${left}.`,
    ],
  )
}
