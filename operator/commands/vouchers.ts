import type { VoucherBatchUsage, BatchView, BatchCreationLine, VoucherView } from '#app/operator/vouchers.routes.ts'
import { ConnectionBrokenError, call, requestJsonLines } from '../send-request.ts'
import {
  requestAndPrint,
  type Command,
  type CommandContext,
  pluralize,
  exitCodes,
  type CommandArguments,
  printRejection,
} from '../command.ts'
import { createProgressPrinter } from '../progress.ts'

export const voucherCommands: Command[] = [
  {
    usage: 'vouchers make N',
    checkCommand: 'vouchers status',
    summary:
      'make N vouchers for a plan (by its unique_id), valid to the end of a day (--expires 2027-12-31); ' +
      'prints the codes, one per line; they can never be shown again (redirect them with > FILE; with npm run, add --silent)',
    options: { plan: { type: 'string' }, expires: { type: 'string' } },
    run: makeVouchers,
  },
  {
    usage: 'vouchers status',
    summary: 'list recent batches',
    run: (context) =>
      requestAndPrint(context, ['GET', '/vouchers/batches'], (batches: BatchView[]) =>
        batches.length > 0 ? batches.map(formatBatch) : ['No batches yet.'],
      ),
  },
  {
    usage: 'vouchers status BATCH|CODE',
    summary: 'show how much of a batch is used, or the state of one voucher',
    run: (context, { names: [of = ''] }) =>
      requestAndPrint(context, ['GET', `/vouchers/of/${of}`], formatBatchOrVoucher),
  },
  {
    usage: 'vouchers void BATCH|CODE',
    checkCommand: 'vouchers status BATCH|CODE',
    summary: 'void a voucher, or all unused vouchers of a batch, permanently',
    run: (context, { names: [of = ''] }) =>
      requestAndPrint(context, ['POST', `/vouchers/of/${of}/void`], formatBatchOrVoucher),
  },
]

async function makeVouchers(
  context: CommandContext,
  { names: [text = ''], options }: CommandArguments,
): Promise<number> {
  const { plan, expires } = options
  const count = Number(text)
  if (!Number.isInteger(count) || typeof plan !== 'string' || typeof expires !== 'string') {
    context.printError('vouchers make N --plan UNIQUE_ID --expires YYYY-MM-DD > FILE')
    return exitCodes.usage
  }
  const result = await writeCodes(context, { count, plan, expires })
  if ('exit' in result) return result.exit
  return confirmCodesReceived(context, result.batch, count)
}

/** Writes the voucher codes. A code counts as received only once it has been written. */
async function writeCodes(
  context: CommandContext,
  batchRequest: { count: number; plan: string; expires: string },
): Promise<{ batch: string } | { exit: number }> {
  const write = context.write ?? (async (text: string) => context.print(text.trimEnd()))
  const progress = createProgressPrinter(context)
  let batch = ''
  let [receivedCount, isBegun] = [0, false]
  try {
    const { lines } = await requestJsonLines(context.caller, 'POST', '/vouchers/batches', { json: batchRequest })
    isBegun = true
    for await (const text of lines) {
      const line = JSON.parse(text) as BatchCreationLine
      if ('why' in line) return { exit: printRejection(context, { status: 400, body: line }) }
      if ('codes' in line) {
        await write(context.json ? `${text}\n` : line.codes.map((code) => `${code}\n`).join(''))
        receivedCount += line.codes.length
        progress.say(`made ${receivedCount} of ${batchRequest.count}`)
      } else {
        batch = line.batch
        if (line.hidden) context.printError('That plan is not on sale now. Its vouchers will still be valid.')
      }
    }
  } catch (error) {
    if (!isBegun && !(error instanceof ConnectionBrokenError)) throw error
    context.printError(error instanceof Error ? error.message : String(error))
  }
  if (receivedCount === batchRequest.count) return { batch }
  context.printError(`Not all codes arrived, so none of them will be valid. Please make another batch.`)
  return { exit: exitCodes.refused }
}

/** Confirms that all voucher codes have arrived. The codes are not valid until this is confirmed. */
async function confirmCodesReceived(context: CommandContext, batch: string, count: number): Promise<number> {
  try {
    const answer = await call(context.caller, 'POST', `/vouchers/batches/${batch}/arrived`, { json: { count } })
    if (answer.status !== 200) return printRejection(context, answer)
    context.printError(`Batch ${batch}: ${pluralize(count, 'voucher is', 'vouchers are')} now valid.`)
    return exitCodes.done
  } catch {
    context.printError(`It is not known whether batch ${batch} is complete. To check: vouchers status ${batch}`)
    return exitCodes.unknown
  }
}

const formatBatch = ({ batch, created, state, made, wanted, plan, expires, by }: BatchView): string =>
  `${batch}  ${created}  ${state}, ${made === wanted ? '' : `${made} of `}${pluralize(wanted, 'voucher', 'vouchers')} ` +
  `for ${plan} until ${expires}  ${by}`

const formatBatchOrVoucher = (found: VoucherBatchUsage | VoucherView): string[] =>
  'wanted' in found ? formatBatchDetails(found) : formatVoucher(found)

const formatBatchDetails = (batch: VoucherBatchUsage): string[] => [
  formatBatch(batch),
  `${batch.redeemed} redeemed, ${batch.held} held by an order, ` +
    `${batch.unused} ${batch.state === 'complete' ? 'unused' : 'not valid'}`,
]

const formatVoucher = ({ state, batch, plan, expires, order_code: order }: VoucherView): string[] => [
  `${state}${order ? ` by order ${order}` : ''}, for ${plan} until ${expires}${batch ? `, of batch ${batch}` : ''}`,
]
