import type { CustomerView, FoundCustomerView } from '#app/operator/customers.routes.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { call } from '../send-request.ts'
import {
  requestAndPrint,
  type Command,
  type CommandContext,
  exitCodes,
  type CommandArguments,
  confirmWithOperator,
  formatJson,
  stripControlCharacters,
  printRejection,
  printResponse,
} from '../command.ts'
import { resentMessageLabel } from '#features/customers/server/resend.labels.ts'
import type { ResentMessage } from '#features/customers/server/resend-message.ts'
import { gatewayEventLabel } from '#features/orders/server/gateway.labels.ts'

export const customerCommands: Command[] = [
  {
    usage: 'customers find TEXT',
    summary:
      'find customers and unfinished activations by number, e-mail, name, order, SIM or last four digits; a beginning is enough',
    run: (context, { names: [text = ''] }) => findCustomers(context, text),
  },
  {
    usage: 'customers show ID',
    options: { before: { type: 'string' } },
    summary: 'show a customer: numbers, sign-in limits and history, newest first',
    run: showCustomer,
  },
  createCustomerCommand('sign-out', 'end all sessions of a customer', () => ['Signed out everywhere.']),
  createCustomerCommand('block', 'stop sign-in, payments and auto-renewal', (body) => [
    'Blocked. The customer is signed out everywhere and can’t sign in or pay.',
    ...(body as { stopped: string[] }).stopped.map(
      (msisdn) => `Auto-renewal was switched off for ${formatNational(msisdn)}.`,
    ),
  ]),
  createCustomerCommand('unblock', 'allow sign-in and payments again; auto-renewals stay off', () => [
    'Unblocked. The customer can sign in and pay again. Auto-renewals that were on have to be switched on again.',
  ]),
  createCustomerCommand('unlock', 'reset the limits on sign-in and PINs of this account', () => [
    'Unlocked. This account’s counters for sign-in attempts and PINs were reset.',
  ]),
  {
    usage: 'customers resend MESSAGE',
    checkCommand: 'customers show ID',
    summary:
      'send a message again to the customer’s current address, with current details and a new link if it has one; ' +
      'reminders and charge notices are sent as copies, with their original details',
    run: (context, { names: [id = ''] }) =>
      requestAndPrint(context, ['POST', `/messages/${id}/resend`], ({ to, is_copy }: ResentMessage) => [
        resentMessageLabel(to, is_copy),
      ]),
  },
  {
    usage: 'customers export ID',
    summary: 'print all data that is stored about a customer, as JSON; to give it to them: > FILE',
    run: (context, { names: [id = ''] }) =>
      requestAndPrint(context, ['POST', `/customers/${id}/export`], (all) => formatJson(all, 2).split('\n')),
  },
  createCustomerCommand('keep', 'cancel the erasure that a customer requested; the customer is told', () => [
    'Cancelled. Nothing is erased, and plans renew as before. The customer is notified by email, including at recently replaced addresses.',
  ]),
  {
    usage: 'customers erase ID',
    checkCommand: 'customers show ID',
    summary:
      'erase a customer permanently; lists what ends and asks for confirmation, unless --yes is given. Invoices stay',
    run: (context, { names: [id = ''] }) => erase(context, id),
  },
  {
    usage: 'customers erase-again',
    checkCommand: 'customers erase-again',
    summary: 'after restoring a backup: erase again the customers on the list of erasures',
    run: eraseRestoredCustomers,
  },
]

async function erase(context: CommandContext, id: string): Promise<number> {
  const [found, openWork] = [
    await call(context.caller, 'GET', `/customers/${id}`),
    await call(context.caller, 'GET', `/customers/${id}/open`),
  ]
  if (found.status !== 200) return printRejection(context, found)
  const customer = found.body as CustomerView
  const { open } = openWork.body as { open: string[] }
  if (open.length > 0)
    return printRejection(context, {
      ...openWork,
      body: { why: `Not possible while something is open: ${open.join(', ')}.` },
    })
  if (!context.json && !customer.erased)
    for (const line of listErasureConsequences(customer)) context.print(stripControlCharacters(line))
  const customerLabel = `${customer.first_name} ${customer.last_name} (${customer.email})`
  if (
    !customer.erased &&
    !(await confirmWithOperator(context, `Erase ${customerLabel} permanently? This cannot be undone.`))
  )
    return exitCodes.refused
  return requestAndPrint(context, ['POST', `/customers/${id}/erase`], () => [
    'Erased. The network takes the numbers back and the gateway deletes the card. Invoices and the audit trail are kept.',
  ])
}

const listErasureConsequences = ({ numbers, saved_card: card }: CustomerView): string[] => [
  ...numbers
    .filter(({ released }) => released === null)
    .flatMap(({ msisdn, plan, ends, next_plan, auto_renewal }) => [
      `${formatNational(msisdn)} goes back to the network at once; ${plan} would have run until ${ends}.`,
      ...(next_plan ? [`  ${next_plan} is paid for and will not start. It is not refunded automatically.`] : []),
      ...(auto_renewal ? ['  Auto-renewal ends.'] : []),
    ]),
  ...(card ? [`The saved card ending ${card.last_four} is deleted here and at the gateway.`] : []),
]

async function eraseRestoredCustomers(context: CommandContext): Promise<number> {
  const { body } = await call(context.caller, 'POST', '/customers/erase-again')
  const outcomes = body as { customer: string; why: string | null }[]
  printResponse(context, outcomes, [
    ...(outcomes.length === 0 ? ['No customer on the list of erased customers was restored.'] : []),
    ...outcomes.map(({ customer, why }) => `${customer}  ${why ?? 'erased again'}`),
  ])
  return outcomes.every(({ why }) => why === null) ? exitCodes.done : exitCodes.refused
}

function createCustomerCommand(name: string, says: string, lines: (body: unknown) => string[]): Command {
  return {
    usage: `customers ${name} ID`,
    checkCommand: 'customers show ID',
    summary: says,
    run: (context, { names: [id = ''] }) => requestAndPrint(context, ['POST', `/customers/${id}/${name}`], lines),
  }
}

const findCustomers = (context: CommandContext, text: string): Promise<number> =>
  requestAndPrint(context, ['GET', `/customers?text=${text}`], (groups: FoundCustomerView[]) => {
    const activationLines = groups.flatMap(({ activations }) => activations.map(activationLine))
    const lines = groups.flatMap(({ of, customers, more, too_long }) => [
      ...customers.map(
        ({ id, hit, email, first_name, last_name }) => `${id}  ${of} ${hit}  ${first_name} ${last_name} (${email})`,
      ),
      ...(more ? [`More than one match for ${of}. Be more specific.`] : []),
      ...(too_long ? [`The search by ${of} took too long and was stopped.`] : []),
    ])
    const isOrderCode = groups.some(({ of }) => of === 'order') && /\d/.test(text)
    const found = [...lines, ...new Set(activationLines)]
    return found.length > 0 ? found : [isOrderCode ? 'No order with this code.' : 'No customer found.']
  })

const activationLine = (found: FoundCustomerView['activations'][number]): string =>
  [
    found.order_code ?? 'no order',
    `activation of ${formatNational(found.msisdn)}, SIM ${found.iccid}`,
    `${found.first_name} ${found.last_name}`.trim() || 'no name yet',
    found.email && `(${found.email})`,
    `${found.state}, started ${found.at}`,
  ]
    .filter(Boolean)
    .join('  ')

async function showCustomer(context: CommandContext, { names: [id = ''], options }: CommandArguments): Promise<number> {
  const beforeParameter =
    typeof options['before'] === 'string' ? `?before=${encodeURIComponent(options['before'])}` : ''
  return requestAndPrint(context, ['GET', `/customers/${id}${beforeParameter}`], (customer: CustomerView) => [
    ...(beforeParameter ? [] : [...listCustomerFacts(customer), '']),
    ...customer.history.map(({ at, of, what, detail, amount, ref, actor }) =>
      [
        at,
        of,
        what,
        of === 'gateway' && gatewayEventLabel(what),
        detail,
        amount === null ? '' : formatPrice(decimalToCents(amount)),
        ref,
        actor && `by ${actor}`,
      ]
        .filter(Boolean)
        .join('  '),
    ),
    ...(customer.next ? [`More entries: --before ${customer.next}`] : []),
  ])
}

const formatErasureRequest = ({ asked, due, put_off }: NonNullable<CustomerView['to_be_erased']>): string =>
  `ERASURE REQUESTED ${asked}, due ${due}${put_off ? `, postponed since ${put_off}` : ''}`

function listCustomerFacts(customer: CustomerView): string[] {
  const { saved_card: card } = customer
  return [
    `${customer.first_name} ${customer.last_name} (${customer.email}${customer.email_verified ? '' : ', not confirmed'})`,
    `customer since ${customer.since}, signed in with ${customer.sessions} sessions`,
    ...(customer.erased
      ? [
          `ERASED ${customer.erased}${customer.erasure_completed ? '' : ', still waiting for the gateway or the network'}`,
        ]
      : []),
    ...(customer.to_be_erased ? [formatErasureRequest(customer.to_be_erased)] : []),
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
            `  ${number.plan} until ${number.ends}${number.auto_renewal ? ', renews automatically' : ''}`,
            ...(number.next_plan ? [`  then ${number.next_plan} from ${number.next_starts}`] : []),
          ]),
    ]),
  ]
}
