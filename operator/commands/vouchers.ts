import type { BatchUseView, BatchView, MakingLine, VoucherView } from '#app/operator/vouchers.routes.ts'
import { BrokenOff, call, callForLines } from '../call.ts'
import { callAndShow, type Command, type CommandDesk, counted, exits, type Given, refuse } from '../command.ts'
import { createProgress } from '../progress.ts'

export const voucherCommands: Command[] = [
  {
    usage: 'vouchers make N',
    look: 'vouchers status',
    says:
      'make N vouchers for a plan (by its unique_id), valid to the end of a day (--expires 2027-12-31); ' +
      'prints the codes, one per line; they can never be shown again (npm run operator --silent -- … > FILE)',
    options: { plan: { type: 'string' }, expires: { type: 'string' } },
    run: makeVouchers,
  },
  {
    usage: 'vouchers status',
    says: 'list recent batches',
    run: (desk) =>
      callAndShow(desk, ['GET', '/vouchers/batches'], (batches: BatchView[]) =>
        batches.length > 0 ? batches.map(lineOf) : ['No batches yet.'],
      ),
  },
  {
    usage: 'vouchers status BATCH|CODE',
    says: 'show how much of a batch is used, or the state of one voucher',
    run: (desk, { names: [of = ''] }) => callAndShow(desk, ['GET', `/vouchers/of/${of}`], linesOf),
  },
  {
    usage: 'vouchers void BATCH|CODE',
    look: 'vouchers status BATCH|CODE',
    says: 'void a voucher, or all unused vouchers of a batch, permanently',
    run: (desk, { names: [of = ''] }) => callAndShow(desk, ['POST', `/vouchers/of/${of}/void`], linesOf),
  },
]

async function makeVouchers(desk: CommandDesk, { names: [text = ''], options }: Given): Promise<number> {
  const { plan, expires } = options
  const count = Number(text)
  if (!Number.isInteger(count) || typeof plan !== 'string' || typeof expires !== 'string') {
    desk.complain('vouchers make N --plan UNIQUE_ID --expires YYYY-MM-DD > FILE')
    return exits.usage
  }
  const made = await takeCodes(desk, { count, plan, expires })
  if ('exit' in made) return made.exit
  return confirm(desk, made.batch, count)
}

/** A code counts as received only after it was written. */
async function takeCodes(
  desk: CommandDesk,
  wish: { count: number; plan: string; expires: string },
): Promise<{ batch: string } | { exit: number }> {
  const write = desk.write ?? (async (text: string) => desk.say(text.trimEnd()))
  const progress = createProgress(desk)
  let batch = ''
  let [taken, isBegun] = [0, false]
  try {
    const { lines } = await callForLines(desk.caller, 'POST', '/vouchers/batches', { json: wish })
    isBegun = true
    for await (const text of lines) {
      const line = JSON.parse(text) as MakingLine
      if ('why' in line) return { exit: refuse(desk, { status: 400, body: line }) }
      if ('codes' in line) {
        await write(desk.json ? `${text}\n` : line.codes.map((code) => `${code}\n`).join(''))
        taken += line.codes.length
        progress.say(`made ${taken} of ${wish.count}`)
      } else {
        batch = line.batch
        if (line.hidden) desk.complain('That plan is not on sale now. Its vouchers will be valid all the same.')
      }
    }
  } catch (error) {
    if (!isBegun && !(error instanceof BrokenOff)) throw error
    desk.complain(error instanceof Error ? error.message : String(error))
  }
  if (taken === wish.count) return { batch }
  desk.complain(`Not all codes arrived, so none of them will be valid. Please make another batch.`)
  return { exit: exits.refused }
}

/** Codes become valid only once their arrival is confirmed. */
async function confirm(desk: CommandDesk, batch: string, count: number): Promise<number> {
  try {
    const answer = await call(desk.caller, 'POST', `/vouchers/batches/${batch}/arrived`, { json: { count } })
    if (answer.status !== 200) return refuse(desk, answer)
    desk.complain(`Batch ${batch}: ${counted(count, 'voucher is', 'vouchers are')} now valid.`)
    return exits.done
  } catch {
    desk.complain(`It is not known whether batch ${batch} is complete. To check: vouchers status ${batch}`)
    return exits.unknown
  }
}

const lineOf = ({ batch, created, state, made, wanted, plan, expires, by }: BatchView): string =>
  `${batch}  ${created}  ${state}, ${made === wanted ? '' : `${made} of `}${counted(wanted, 'voucher', 'vouchers')} ` +
  `for ${plan} until ${expires}  ${by}`

const linesOf = (found: BatchUseView | VoucherView): string[] =>
  'wanted' in found ? batchLines(found) : voucherLines(found)

const batchLines = (batch: BatchUseView): string[] => [
  lineOf(batch),
  `${batch.redeemed} redeemed, ${batch.held} held by an order, ` +
    `${batch.unused} ${batch.state === 'complete' ? 'unused' : 'not valid'}`,
]

const voucherLines = ({ state, batch, plan, expires, order_code: order }: VoucherView): string[] => [
  `${state}${order ? ` by order ${order}` : ''}, for ${plan} until ${expires}${batch ? `, of batch ${batch}` : ''}`,
]
