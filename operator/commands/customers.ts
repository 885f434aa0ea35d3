import type { CustomerView, FoundView } from '#app/operator/customers.routes.ts'
import { formatPrice, fromWire } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { call } from '../call.ts'
import { type Command, type CommandDesk, type Given, refuse, show } from '../command.ts'

export const customerCommands: Command[] = [
  {
    usage: 'customers find TEXT',
    says: 'customers by number, address, name, order, SIM or last four digits, or by how these begin',
    run: (desk, { names: [text = ''] }) => find(desk, text),
  },
  {
    usage: 'customers show ID',
    options: { before: { type: 'string' } },
    says: 'a customer: numbers, what keeps them out, and all that happened, newest first',
    run: showCustomer,
  },
  act('sign-out', 'end all sessions of a customer', () => ['Signed out everywhere.']),
  act('block', 'no sign-in, no payment and no auto-renewal from now on', (body) => [
    'Blocked: signed out everywhere, and neither sign-in nor payment is possible.',
    ...(body as { stopped: string[] }).stopped.map((msisdn) => `${formatNational(msisdn)} no longer renews by itself.`),
  ]),
  act('unblock', 'sign-in and payments again; auto-renewals stay off', () => [
    'Unblocked: the customer can sign in and pay again. Auto-renewals that were on have to be switched on again.',
  ]),
  act('unlock', 'lift the limits of sign-in and PINs of this account', () => [
    'Unlocked: tries to sign in and PINs of this account are counted anew.',
  ]),
]

/** A command that does one thing about a customer, and says what was done. */
function act(name: string, says: string, lines: (body: unknown) => string[]): Command {
  return {
    usage: `customers ${name} ID`,
    says,
    async run(desk, { names: [id = ''] }) {
      const answer = await call(desk.caller, 'POST', `/customers/${id}/${name}`)
      return answer.status === 200 ? show(desk, answer.body, lines(answer.body)) : refuse(desk, answer)
    },
  }
}

async function find(desk: CommandDesk, text: string): Promise<number> {
  const answer = await call(desk.caller, 'GET', `/customers?text=${text}`)
  if (answer.status !== 200) return refuse(desk, answer)
  const groups = answer.body as FoundView[]
  const lines = groups.flatMap(({ of, customers, more, too_long }) => [
    ...customers.map(
      ({ id, hit, email, first_name, last_name }) => `${id}  ${of} ${hit}  ${first_name} ${last_name} (${email})`,
    ),
    ...(more ? [`There are more by ${of}: say more of it.`] : []),
    ...(too_long ? [`By ${of} it took too long, and was given up.`] : []),
  ])
  return show(desk, groups, lines.length > 0 ? lines : ['Nobody was found.'])
}

async function showCustomer(desk: CommandDesk, { names: [id = ''], options }: Given): Promise<number> {
  const before = typeof options['before'] === 'string' ? `?before=${encodeURIComponent(options['before'])}` : ''
  const answer = await call(desk.caller, 'GET', `/customers/${id}${before}`)
  if (answer.status !== 200) return refuse(desk, answer)
  const customer = answer.body as CustomerView
  return show(desk, customer, [
    ...(before ? [] : [...factsOf(customer), '']),
    ...customer.history.map(({ at, of, what, detail, amount, ref, actor }) =>
      [at, of, what, detail, amount === null ? '' : formatPrice(fromWire(amount)), ref, actor && `by ${actor}`]
        .filter(Boolean)
        .join('  '),
    ),
    ...(customer.next ? [`There is more: --before ${customer.next}`] : []),
  ])
}

function factsOf(customer: CustomerView): string[] {
  const { saved_card: card } = customer
  return [
    `${customer.first_name} ${customer.last_name} (${customer.email}${customer.email_verified ? '' : ', not confirmed'})`,
    `customer since ${customer.since}, signed in with ${customer.sessions} sessions`,
    ...(customer.erased ? [`ERASED ${customer.erased}`] : []),
    ...(customer.blocked && !customer.erased ? [`BLOCKED since ${customer.blocked}`] : []),
    `contact phone ${customer.contact_phone ? formatNational(customer.contact_phone) : 'none'}`,
    `saved card ${card ? `${card.card_type ?? 'card'} ending ${card.last_four}, ${card.expiry}` : 'none'}`,
    `marketing ${customer.marketing_consent ? 'yes' : 'no'}`,
    ...customer.limits.map(
      ({ of, used, most, until }) => `${of}: ${used} of ${most}${until ? `, until ${until}` : ''}`,
    ),
    ...customer.numbers.flatMap((number) => [
      `${formatNational(number.msisdn)}  SIM ${number.iccid}  ${number.id}`,
      ...(number.released
        ? [`  released ${number.released}`]
        : [
            `  ${number.plan} until ${number.ends}${number.auto_renewal ? ', renews by itself' : ''}`,
            ...(number.next_plan ? [`  then ${number.next_plan} from ${number.next_starts}`] : []),
          ]),
    ]),
  ]
}
