import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { decimalAmountSchema } from '#kit/contract/schema.ts'
import { customerAccessSchema } from './customers.contract.ts'
import { tones } from './customer-history.contract.ts'

export const maxOrders = 10

const params = v.object({ id: v.string(), service: v.string() })
const instantSchema = v.string()
/** A calendar day in the market's time zone, as `YYYY-MM-DD`. */
const day = v.string()

const orderSchema = v.object({
  code: v.string(),
  what: v.string(),
  said: v.string(),
  tone: v.picklist(tones),
  title: v.string(),
  at: instantSchema,
  amount: decimalAmountSchema(),
})
export type NumberOrder = v.InferOutput<typeof orderSchema>

const renewalSchema = v.object({
  is_on: v.boolean(),
  is_charging: v.boolean(),
  /** Why the last automatic renewal failed, or why the next charge cannot succeed. `null` if there is no problem. */
  trouble: v.nullable(v.string()),
  /** Automatic charges for renewing the current plan, newest first. `said` includes why a charge was declined. */
  tries: v.array(orderSchema),
  /** The next automatic charge, or `null` if none is planned. `again` lists the times at which the charge is retried if it fails. */
  next: v.nullable(
    v.object({
      at: instantSchema,
      amount: decimalAmountSchema(),
      plan: v.string(),
      card: v.nullable(v.string()),
      again: v.array(instantSchema),
    }),
  ),
})
export type NumberRenewal = v.InferOutput<typeof renewalSchema>

const numberSchema = v.object({
  id: v.string(),
  /** The phone number; empty once it has been erased from our records. */
  number: v.string(),
  name: v.nullable(v.string()),
  state: v.picklist(['active', 'ended', 'released']),
  since: instantSchema,
  released: v.nullable(instantSchema),
  plan: v.nullable(v.object({ title: v.string(), length: v.number(), starts: day, ends: instantSchema })),
  goes_back: v.nullable(instantSchema),
  next_plan: v.nullable(
    v.object({
      title: v.string(),
      length: v.number(),
      starts: day,
      paid: day,
      paid_with: v.picklist(['card', 'voucher']),
      amount: decimalAmountSchema(),
      order_code: v.string(),
    }),
  ),
  /** How the plan renews; `null` once the phone number has been released. */
  renewal: v.nullable(renewalSchema),
  /**
   * The phone number's SIM, which never changes. `masked` shows the last four digits of the ICCID, and `since` is when
   * the SIM was activated.
   */
  sim: v.object({ masked: v.string(), since: instantSchema }),
  /** Transfers to this number, newest first. `null` for staff without the support role. */
  ports: v.nullable(
    v.array(v.object({ reference: v.string(), words: v.string(), at: instantSchema, has_moved: v.boolean() })),
  ),
  /** Orders for this phone number, newest first, at most `maxOrders`. */
  orders: v.array(orderSchema),
})
export type NumberView = v.InferOutput<typeof numberSchema>

export const readNumber = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/numbers/:service/',
  summary:
    'Returns a phone number if the signed-in person opened its customer’s record in the last half hour; otherwise a masked name',
  params,
  output: v.object({ name: v.string(), opened: customerAccessSchema, number: v.nullable(numberSchema) }),
})
export type NumberPage = v.InferOutput<typeof readNumber.output>

export const showSimNumber = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/numbers/:service/show-sim/',
  summary: 'Returns the full SIM number and logs that it was shown',
  params,
  output: v.object({ iccid: v.string() }),
})
