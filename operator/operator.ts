import { formatPrice, fromWire } from '#kit/contract/money.ts'
import type { ErrorView, OrderView, RefusedPaymentsView, TaskView } from '#app/operator.ts'
import type { RefundOutcome } from '#features/refunds/server/refunds.ts'
import { type Answer, call, isNotRunning } from './call.ts'

/** What a command has to work with; `ask` answers whether the question was answered with yes. */
export type Desk = {
  dataDir: string
  say(line: string): void
  complain(line: string): void
  ask(question: string): Promise<boolean>
}

/** What the tool ends with. */
export const exits = { done: 0, refused: 1, usage: 2, notRunning: 3, unknown: 4 } as const

const usage = `Usage: npm run operator -- COMMAND

  orders show ORDER            what an order is, how it stands, and its documents
  orders refund ORDER [--yes]  give all its money back; asks first, unless told --yes
  tasks list                   what waits for a person
  tasks done ID                take one off that list
  refused-payments             cards that were declined in the last day: when, and with what most of them came
  errors                       what went wrong in customers’ browsers, latest first

It talks to the product that runs on this machine with the same DATA_DIR.
It ends with 0: done; 1: refused; 2: not understood; 3: no product runs there; 4: not known yet, the product goes on.`

/** Runs one command and answers what to exit with. */
export async function runOperator(args: string[], desk: Desk): Promise<number> {
  const yes = args.includes('--yes')
  const [thing, verb, name, ...more] = args.filter((arg) => arg !== '--yes')
  const words = [thing, verb, ...(name === undefined ? [] : ['…'])].filter((word) => word !== undefined).join(' ')
  const command = more.length === 0 && Object.hasOwn(commands, words) ? commands[words] : undefined
  if (!command) {
    desk.complain(usage)
    return exits.usage
  }
  try {
    return await command(desk, encodeURIComponent(name ?? ''), yes)
  } catch (error) {
    if (!isNotRunning(error)) throw error
    desk.complain(
      `No product is running on ${desk.dataDir}. Start it first, or say where it keeps its data: DATA_DIR=…`,
    )
    return exits.notRunning
  }
}

const commands: Record<string, (desk: Desk, name: string, yes: boolean) => Promise<number>> = {
  'orders show …': showOrder,
  'orders refund …': refundOrder,
  'tasks list': listTasks,
  'tasks done …': endTask,
  'refused-payments': listRefusedPayments,
  errors: listErrors,
}

async function showOrder(desk: Desk, code: string): Promise<number> {
  const answer = await call(desk.dataDir, 'GET', `/orders/${code}`)
  if (answer.status !== 200) return refuse(desk, answer)
  for (const line of linesOf(answer.body as OrderView)) desk.say(printable(line))
  return exits.done
}

async function refundOrder(desk: Desk, code: string, yes: boolean): Promise<number> {
  const found = await call(desk.dataDir, 'GET', `/orders/${code}`)
  if (found.status !== 200) return refuse(desk, found)
  const order = found.body as OrderView
  const amount = `${formatPrice(fromWire(order.amount))} ${order.currency}`
  if (
    !yes &&
    !(await desk.ask(
      printable(`Give ${amount} back to ${order.full_name} (${order.email}) for ${order.order_code}, ${order.title}?`),
    ))
  ) {
    desk.complain('Nothing was done.')
    return exits.refused
  }
  const answer = await call(desk.dataDir, 'POST', `/orders/${code}/refund`)
  if (answer.status !== 200) return refuse(desk, answer)
  const refund = answer.body as RefundOutcome
  if (refund.outcome === 'received') {
    desk.say(`Refunded ${amount}. The credit note ${refund.creditCode} is on its way to the customer.`)
    return exits.done
  }
  if (refund.outcome === 'unknown') {
    desk.say('The gateway has not answered. The product asks on by itself, and gives the money back once.')
    return exits.unknown
  }
  desk.complain(printable(`The gateway refused: ${refund.outcome === 'refused' ? refund.code : refund.why}`))
  return exits.refused
}

async function listTasks(desk: Desk): Promise<number> {
  const { body } = await call(desk.dataDir, 'GET', '/tasks')
  const tasks = body as TaskView[]
  const refused = await refusedPayments(desk)
  if (refused.wave) desk.say(waveLine(refused))
  if (tasks.length === 0) desk.say('Nothing waits.')
  for (const { id, order_code, reason, created } of tasks)
    desk.say(printable(`${id}  ${created}  ${order_code}  ${reason}`))
  return exits.done
}

async function endTask(desk: Desk, id: string): Promise<number> {
  const answer = await call(desk.dataDir, 'POST', `/tasks/${id}/done`)
  if (answer.status !== 200) return refuse(desk, answer)
  desk.say('Done.')
  return exits.done
}

const refusedPayments = async (desk: Desk): Promise<RefusedPaymentsView> =>
  (await call(desk.dataDir, 'GET', '/refused-payments')).body as RefusedPaymentsView

const waveLine = ({ hours, last_hour, threshold }: RefusedPaymentsView): string =>
  `MANY CARDS ARE BEING DECLINED: ${Math.max(last_hour, ...hours.map(({ refused }) => refused))} in an hour, ` +
  `where ${threshold} are unusual. Somebody may be testing stolen cards: npm run operator -- refused-payments`

async function listRefusedPayments(desk: Desk): Promise<number> {
  const refused = await refusedPayments(desk)
  if (refused.wave) desk.say(waveLine(refused))
  if (refused.hours.length === 0) desk.say('No card was declined in the last day.')
  for (const { hour, refused: count, addresses, sims, accounts } of refused.hours) {
    desk.say(
      `${hour}  ${count} declined, from ${counted(addresses, 'address', 'addresses')}, ` +
        `with ${counted(sims, 'SIM', 'SIMs')}, for ${counted(accounts, 'account', 'accounts')}`,
    )
  }
  for (const { of, what, refused: count, latest } of refused.most)
    desk.say(printable(`${of} ${what}  ${count}, the last at ${latest}`))
  return exits.done
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

async function listErrors(desk: Desk): Promise<number> {
  const { body } = await call(desk.dataDir, 'GET', '/errors')
  const errors = body as ErrorView[]
  if (errors.length === 0) desk.say('No browser has reported an error.')
  for (const { fingerprint, count, kind, name, message, top_frame, page, first_seen, last_seen } of errors) {
    desk.say(printable(`${last_seen}  ${count} × on ${page}, ${kind}, since ${first_seen}`))
    desk.say(printable(`  ${name}: ${message}`))
    desk.say(printable(`  ${top_frame ?? 'no place told'}  ${fingerprint}`))
  }
  return exits.done
}

function refuse(desk: Desk, { body }: Answer): number {
  desk.complain((body as { why?: string }).why ?? 'That did not work.')
  return exits.refused
}

function linesOf(order: OrderView): string[] {
  const amount = fromWire(order.amount)
  return [
    `${order.order_code}  ${order.kind}, ${order.state}`,
    `${order.title}  ${amount > 0 ? `${formatPrice(amount)} ${order.currency}` : 'paid with a voucher'}`,
    `${order.full_name} (${order.email})  ${order.msisdn}`,
    `made ${order.created}`,
    ...(order.refund ? [`refund ${order.refund}`] : []),
    ...order.documents.map(
      ({ order_code, document_type, total_price, created }) =>
        `${document_type} ${order_code}  ${formatPrice(fromWire(total_price))}  ${created}`,
    ),
  ]
}

/** Customers choose their names: nothing in one may speak to the terminal. */
const printable = (line: string): string => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
