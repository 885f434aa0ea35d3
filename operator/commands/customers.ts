import type { CustomerView, FoundView } from '#app/operator/customers.routes.ts'
import { formatPrice, fromWire } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { call } from '../call.ts'
import {
  callAndShow,
  type Command,
  type CommandDesk,
  exits,
  type Given,
  isSure,
  jsonOf,
  printable,
  refuse,
  show,
} from '../command.ts'
import { wordsOf } from '#features/orders/server/gateway-words.present.ts'

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
  {
    usage: 'customers resend MESSAGE',
    look: 'customers show ID',
    says: 'a message composed anew, with a new link where it has one, to the address that the customer has now',
    run: (desk, { names: [id = ''] }) =>
      callAndShow(desk, ['POST', `/messages/${id}/resend`], ({ to }: { to: string }) => [
        `Composed anew, and on its way to ${to}.`,
      ]),
  },
  {
    usage: 'customers export ID',
    says: 'all that is kept of a customer, as JSON; for them: > FILE',
    run: (desk, { names: [id = ''] }) =>
      callAndShow(desk, ['POST', `/customers/${id}/export`], (all) => jsonOf(all, 2).split('\n')),
  },
  act('keep', 'call off the erasure that a customer has asked for; they are told', () => [
    'Called off: nothing is erased, and plans renew as before. The customer is told at each address.',
  ]),
  {
    usage: 'customers erase ID',
    look: 'customers show ID',
    says: 'forget a customer for good; says what ends, and asks, unless told --yes. Invoices stay',
    run: (desk, { names: [id = ''] }) => erase(desk, id),
  },
  {
    usage: 'customers erase-again',
    look: 'customers erase-again',
    says: 'after a backup was restored: erase again whom the list of erasures says',
    run: eraseAgain,
  },
]

async function erase(desk: CommandDesk, id: string): Promise<number> {
  const [found, asked] = [
    await call(desk.caller, 'GET', `/customers/${id}`),
    await call(desk.caller, 'GET', `/customers/${id}/open`),
  ]
  if (found.status !== 200) return refuse(desk, found)
  const customer = found.body as CustomerView
  const { open } = asked.body as { open: string[] }
  if (open.length > 0)
    return refuse(desk, {
      ...asked,
      body: { why: `Something is still open: ${open.join(', ')}. It has to be over first.` },
    })
  if (!desk.json && !customer.erased) for (const line of endingOf(customer)) desk.say(printable(line))
  const who = `${customer.first_name} ${customer.last_name} (${customer.email})`
  if (!customer.erased && !(await isSure(desk, `Erase ${who} for good? Nothing brings them back.`)))
    return exits.refused
  return callAndShow(desk, ['POST', `/customers/${id}/erase`], () => [
    'Erased. The network takes the numbers back and the gateway forgets the card; invoices and the audit trail stay.',
  ])
}

const endingOf = ({ numbers, saved_card: card }: CustomerView): string[] => [
  ...numbers
    .filter(({ released }) => released === null)
    .flatMap(({ msisdn, plan, ends, next_plan, auto_renewal }) => [
      `${formatNational(msisdn)} goes back to the network at once; ${plan} would have been good until ${ends}.`,
      ...(next_plan ? [`  ${next_plan} is paid for and will not begin. Nothing is given back by this.`] : []),
      ...(auto_renewal ? ['  It renews by itself, and will not.'] : []),
    ]),
  ...(card ? [`The card ending ${card.last_four} is forgotten, by the gateway, too.`] : []),
]

async function eraseAgain(desk: CommandDesk): Promise<number> {
  const { body } = await call(desk.caller, 'POST', '/customers/erase-again')
  const outcomes = body as { customer: string; why: string | null }[]
  show(desk, outcomes, [
    ...(outcomes.length === 0 ? ['Nobody of the list is there again.'] : []),
    ...outcomes.map(({ customer, why }) => `${customer}  ${why ?? 'erased again'}`),
  ])
  return outcomes.every(({ why }) => why === null) ? exits.done : exits.refused
}

function act(name: string, says: string, lines: (body: unknown) => string[]): Command {
  return {
    usage: `customers ${name} ID`,
    look: 'customers show ID',
    says,
    run: (desk, { names: [id = ''] }) => callAndShow(desk, ['POST', `/customers/${id}/${name}`], lines),
  }
}

const find = (desk: CommandDesk, text: string): Promise<number> =>
  callAndShow(desk, ['GET', `/customers?text=${text}`], (groups: FoundView[]) => {
    const lines = groups.flatMap(({ of, customers, more, too_long }) => [
      ...customers.map(
        ({ id, hit, email, first_name, last_name }) => `${id}  ${of} ${hit}  ${first_name} ${last_name} (${email})`,
      ),
      ...(more ? [`There are more by ${of}: say more of it.`] : []),
      ...(too_long ? [`By ${of} it took too long, and was given up.`] : []),
    ])
    return lines.length > 0 ? lines : ['Nobody was found.']
  })

async function showCustomer(desk: CommandDesk, { names: [id = ''], options }: Given): Promise<number> {
  const before = typeof options['before'] === 'string' ? `?before=${encodeURIComponent(options['before'])}` : ''
  return callAndShow(desk, ['GET', `/customers/${id}${before}`], (customer: CustomerView) => [
    ...(before ? [] : [...factsOf(customer), '']),
    ...customer.history.map(({ at, of, what, detail, amount, ref, actor }) =>
      [
        at,
        of,
        what,
        of === 'gateway' && wordsOf(what),
        detail,
        amount === null ? '' : formatPrice(fromWire(amount)),
        ref,
        actor && `by ${actor}`,
      ]
        .filter(Boolean)
        .join('  '),
    ),
    ...(customer.next ? [`There is more: --before ${customer.next}`] : []),
  ])
}

const askedLine = ({ asked, due, put_off }: NonNullable<CustomerView['to_be_erased']>): string =>
  `ASKED TO BE ERASED ${asked}, due ${due}${put_off ? `, put off since ${put_off}` : ''}`

function factsOf(customer: CustomerView): string[] {
  const { saved_card: card } = customer
  return [
    `${customer.first_name} ${customer.last_name} (${customer.email}${customer.email_verified ? '' : ', not confirmed'})`,
    `customer since ${customer.since}, signed in with ${customer.sessions} sessions`,
    ...(customer.erased
      ? [
          `ERASED ${customer.erased}${customer.erasure_completed ? '' : ', and gateway or network have still to do their part'}`,
        ]
      : []),
    ...(customer.to_be_erased ? [askedLine(customer.to_be_erased)] : []),
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
