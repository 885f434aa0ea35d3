import type { RefusedPaymentsView } from '#app/operator/refused-payments.routes.ts'
import { call } from '../send-request.ts'
import { requestAndPrint, type Command, type CommandContext, operatorCommand, pluralize } from '../command.ts'

export const refusedPaymentCommands: Command[] = [
  {
    usage: 'refused-payments',
    summary: 'list cards declined in the last day, by hour, and the addresses, SIMs and accounts with the most',
    run: (context) =>
      requestAndPrint(context, ['GET', '/refused-payments'], (refused: RefusedPaymentsView) =>
        formatRefusedPayments(context, refused),
      ),
  },
]

export const fetchRefusedPayments = async (context: CommandContext): Promise<RefusedPaymentsView> =>
  (await call(context.caller, 'GET', '/refused-payments')).body as RefusedPaymentsView

export const formatDeclinedCardsWarning = (
  context: CommandContext,
  { wave, hours, last_hour, threshold }: RefusedPaymentsView,
): string[] =>
  wave
    ? [
        `MANY CARDS ARE BEING DECLINED: ${Math.max(last_hour, ...hours.map(({ refused }) => refused))} in an hour, ` +
          `where ${threshold} is unusual. Someone may be testing stolen cards: ${operatorCommand(context)} refused-payments`,
      ]
    : []

const formatRefusedPayments = (context: CommandContext, refused: RefusedPaymentsView): string[] => [
  ...formatDeclinedCardsWarning(context, refused),
  ...(refused.hours.length === 0 ? ['No cards were declined in the last day.'] : []),
  ...refused.hours.map(
    ({ hour, refused: count, addresses, sims, accounts }) =>
      `${hour}  ${count} declined, from ${pluralize(addresses, 'address', 'addresses')}, ` +
      `with ${pluralize(sims, 'SIM', 'SIMs')}, for ${pluralize(accounts, 'account', 'accounts')}`,
  ),
  ...refused.most.map(({ of, what, refused: count, latest }) => `${of} ${what}  ${count}, latest at ${latest}`),
]
