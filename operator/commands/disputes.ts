import type { DisputeView } from '#app/operator/disputes.routes.ts'
import { call } from '../call.ts'
import { type Command, type CommandDesk, show } from '../command.ts'
import { priceOf } from '../order-lines.ts'

export const disputeCommands: Command[] = [
  {
    usage: 'disputes list',
    says: 'payments that a bank takes back or may, and until when each can be contested; with --all those that are over, too',
    options: { all: { type: 'boolean' } },
    run: (desk, { options }) => listDisputes(desk, options['all'] === true),
  },
]

async function listDisputes(desk: CommandDesk, all: boolean): Promise<number> {
  const { body } = await call(desk.caller, 'GET', `/disputes${all ? '?all=yes' : ''}`)
  const disputes = body as DisputeView[]
  return show(desk, disputes, [
    ...(disputes.length === 0 ? ['Nothing is disputed.'] : []),
    ...disputes.map(
      ({ order_code, state, amount, currency, reason, due, created, psp_reference }) =>
        `${order_code}  ${state}  ${priceOf(amount)} ${currency}  ${created}  ` +
        `${due ? `due ${due}` : 'no date told'}  ${psp_reference}  ${reason}`,
    ),
  ])
}
