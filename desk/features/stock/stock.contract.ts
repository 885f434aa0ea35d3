import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { requiredCode, decimalAmountSchema } from '#kit/contract/schema.ts'
import { batchSchema } from './batches.contract.ts'
import { simLoadSchema } from './sim-loads.contract.ts'

export const stockSearchMessages = {
  what: 'Please enter a voucher code (12 letters and digits) or an ICCID (19 or 20 digits, starting with 89).',
  none: 'No voucher or SIM pack found.',
} as const

const stockLevelSchema = v.object({
  unused: v.number(),
  /** Number used in the last 14 days. */
  used: v.number(),
  /** Days until the stock runs out. `null` if nothing was used, because the pace is then unknown. */
  days: v.nullable(v.number()),
})

export const readStock = endpoint({
  method: 'GET',
  path: '/api/desk/stock/',
  summary:
    'Returns the stock and how long it will last, recent loads and batches, and the plans that vouchers can be made for',
  output: v.object({
    sims: stockLevelSchema,
    vouchers: v.array(v.object({ plan: v.string(), ...stockLevelSchema.entries })),
    loads: v.array(simLoadSchema),
    batches: v.array(batchSchema),
    plans: v.array(v.object({ id: v.string(), title: v.string(), price: decimalAmountSchema(), hidden: v.boolean() })),
  }),
})
export type Stock = v.InferOutput<typeof readStock.output>

export const stockSearchSchema = v.object({
  text: v.pipe(requiredCode(stockSearchMessages.what), v.maxLength(40, stockSearchMessages.what)),
})

export const searchStock = endpoint({
  method: 'POST',
  path: '/api/desk/stock/find/',
  summary: 'Returns the state of one voucher or SIM pack and its order, but never a voucher code',
  body: stockSearchSchema,
  output: v.object({
    of: v.picklist(['voucher', 'sim']),
    state: v.picklist(['unused', 'held', 'redeemed', 'expired', 'void', 'not_for_sale']),
    plan: v.nullable(v.string()),
    expires: v.nullable(v.string()),
    at: v.nullable(v.string()),
    /** The order that uses the voucher or SIM. `path` is `null` for staff who may not see orders. */
    order: v.nullable(v.object({ code: v.string(), path: v.nullable(v.string()) })),
    from: v.nullable(v.object({ id: v.string(), path: v.string() })),
  }),
})
export type StockItem = v.InferOutput<typeof searchStock.output>
