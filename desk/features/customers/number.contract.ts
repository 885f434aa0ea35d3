import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { wireMoney } from '#kit/contract/schema.ts'
import { openedSchema } from './customers.contract.ts'
import { tones } from './happened.contract.ts'

/** So many of a number’s orders are told, the newest. */
export const mostOrders = 10

const params = v.object({ id: v.string(), service: v.string() })
const instant = v.string()
/** `YYYY-MM-DD` in the market's zone. */
const day = v.string()

const orderSchema = v.object({
  code: v.string(),
  /** `Renewal by itself, by card`. */
  what: v.string(),
  said: v.string(),
  tone: v.picklist(tones),
  title: v.string(),
  at: instant,
  amount: wireMoney(),
})
export type NumberOrder = v.InferOutput<typeof orderSchema>

const renewalSchema = v.object({
  is_on: v.boolean(),
  /** A charge is under way: what comes of it is not known. */
  is_charging: v.boolean(),
  /** Why it came to nothing the last time, or cannot come to anything. */
  trouble: v.nullable(v.string()),
  /** The charges for what follows the present plan, the newest first; `said` has why it was refused. */
  tries: v.array(orderSchema),
  /** What it is charged for next, should nothing be in its way; after that, when it fails, it is tried again. */
  next: v.nullable(
    v.object({
      at: instant,
      amount: wireMoney(),
      plan: v.string(),
      card: v.nullable(v.string()),
      again: v.array(instant),
    }),
  ),
})
export type NumberRenewal = v.InferOutput<typeof renewalSchema>

const numberSchema = v.object({
  id: v.string(),
  /** Empty once it is forgotten. */
  number: v.string(),
  /** What its customer calls it. */
  name: v.nullable(v.string()),
  state: v.picklist(['active', 'ended', 'released']),
  since: instant,
  released: v.nullable(instant),
  plan: v.nullable(v.object({ title: v.string(), length: v.number(), starts: day, ends: instant })),
  /** When the number goes back to the network, should nobody renew. */
  goes_back: v.nullable(instant),
  /** Paid for, and waits. */
  next_plan: v.nullable(
    v.object({
      title: v.string(),
      length: v.number(),
      starts: day,
      paid: day,
      paid_with: v.picklist(['card', 'voucher']),
      amount: wireMoney(),
      order_code: v.string(),
    }),
  ),
  /** Null of a number that is nobody's any more. */
  renewal: v.nullable(renewalSchema),
  /** The only one that it ever had: its last four digits, and when it was activated. */
  sim: v.object({ masked: v.string(), since: instant }),
  /** The transfers to it, the newest first, for who sees those. */
  ports: v.nullable(
    v.array(v.object({ reference: v.string(), words: v.string(), at: instant, has_moved: v.boolean() })),
  ),
  /** The newest of them. */
  orders: v.array(orderSchema),
})
export type NumberShown = v.InferOutput<typeof numberSchema>

export const numberOfCustomer = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/numbers/:service/',
  summary:
    'A number of a customer who was opened in the last half hour; of any other no more than the customer’s masked name',
  params,
  output: v.object({ name: v.string(), opened: openedSchema, number: v.nullable(numberSchema) }),
})
export type NumberPage = v.InferOutput<typeof numberOfCustomer.output>

export const showSim = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/numbers/:service/show-sim/',
  summary: 'The whole number of the SIM; that it was shown is written down with it',
  params,
  output: v.object({ iccid: v.string() }),
})
