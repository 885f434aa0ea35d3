import type { RefusedPaymentsView } from '#app/operator/refused-payments.routes.ts'
import { call } from '../call.ts'
import { callAndShow, type Command, type CommandDesk, counted } from '../command.ts'

export const refusedPaymentCommands: Command[] = [
  {
    usage: 'refused-payments',
    says: 'list cards declined in the last day, by hour, and the addresses, SIMs and accounts with the most',
    run: (desk) => callAndShow(desk, ['GET', '/refused-payments'], linesOf),
  },
]

export const refusedPayments = async (desk: CommandDesk): Promise<RefusedPaymentsView> =>
  (await call(desk.caller, 'GET', '/refused-payments')).body as RefusedPaymentsView

export const waveLines = ({ wave, hours, last_hour, threshold }: RefusedPaymentsView): string[] =>
  wave
    ? [
        `MANY CARDS ARE BEING DECLINED: ${Math.max(last_hour, ...hours.map(({ refused }) => refused))} in an hour, ` +
          `where ${threshold} is unusual. Someone may be testing stolen cards: npm run operator -- refused-payments`,
      ]
    : []

const linesOf = (refused: RefusedPaymentsView): string[] => [
  ...waveLines(refused),
  ...(refused.hours.length === 0 ? ['No cards were declined in the last day.'] : []),
  ...refused.hours.map(
    ({ hour, refused: count, addresses, sims, accounts }) =>
      `${hour}  ${count} declined, from ${counted(addresses, 'address', 'addresses')}, ` +
      `with ${counted(sims, 'SIM', 'SIMs')}, for ${counted(accounts, 'account', 'accounts')}`,
  ),
  ...refused.most.map(({ of, what, refused: count, latest }) => `${of} ${what}  ${count}, latest at ${latest}`),
]
