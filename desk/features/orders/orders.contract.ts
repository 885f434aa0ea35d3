import * as v from 'valibot'
import { cleanCode } from '#kit/contract/clean-text.ts'
import { endpoint } from '#kit/contract/endpoint.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { decimalAmountSchema, optionalCode } from '#kit/contract/schema.ts'
import { reasonFields, settlementReasonFields, checkReasonNote } from '#desk/features/staff/reasons.contract.ts'

const tone = v.picklist(['plain', 'good', 'warn', 'bad'])
export type Tone = v.InferOutput<typeof tone>

const code = v.object({ code: v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{6,24}$/)) })
const instantSchema = v.string()

const stepSchema = v.object({
  what: v.string(),
  at: instantSchema,
  /** Seconds since the order's previous step. */
  seconds: v.number(),
  note: v.nullable(v.string()),
  tone,
})

const paymentRow = v.object({
  at: instantSchema,
  what: v.string(),
  reference: v.nullable(v.string()),
  said: v.string(),
  tone,
  psp_reference: v.nullable(v.string()),
  amount: v.nullable(decimalAmountSchema()),
})

const networkRow = v.object({
  at: instantSchema,
  what: v.string(),
  /** What the network operation is about: a SIM's last four digits, a product, or the provider from which a number is being transferred. */
  of: v.nullable(v.string()),
  external_id: v.nullable(v.string()),
  said: v.string(),
  tone,
  seconds: v.nullable(v.number()),
})

const orderSchema = v.object({
  code: v.string(),
  state: v.string(),
  state_words: v.string(),
  tone,
  kind_words: v.string(),
  title: v.string(),
  amount: decimalAmountSchema(),
  currency: v.string(),
  created: instantSchema,
  failure: v.nullable(v.string()),
  next_try: v.nullable(instantSchema),
  given_up: v.nullable(instantSchema),
  customer: v.object({ id: v.nullable(v.string()), name: v.string(), email: v.string() }),
  number: v.string(),
  rail: v.object({
    steps: v.array(stepSchema),
    seconds: v.number(),
    is_over: v.boolean(),
    usual_seconds: v.nullable(v.number()),
  }),
  payments: v.array(paymentRow),
  network: v.array(networkRow),
  books: v.object({
    rows: v.array(v.object({ what: v.string(), one: v.string(), other: v.string(), is_same: v.boolean() })),
    /** Sentences without a subject: the page puts "It" in front of each one. */
    faults: v.array(v.string()),
    agree: v.boolean(),
  }),
  papers: v.array(
    v.object({
      type: v.picklist(['invoice', 'credit']),
      code: v.string(),
      amount: decimalAmountSchema(),
      at: instantSchema,
    }),
  ),
  messages: v.array(
    v.object({
      id: v.string(),
      channel: v.picklist(['email', 'sms']),
      subject: v.string(),
      at: instantSchema,
      state: v.picklist(['sent', 'refused', 'dropped', 'waits']),
      may_again: v.boolean(),
    }),
  ),
  tasks: v.array(v.object({ id: v.string(), reason: v.string(), due: v.nullable(instantSchema) })),
  /** `retry_why`, `cancel_why` and `refund_why` are `null` if that action is possible; otherwise they say why it is not. */
  retry_why: v.nullable(v.string()),
  cancel_why: v.nullable(v.string()),
  refund_why: v.nullable(v.string()),
  refund_all_why: v.nullable(v.string()),
  /** Whether the order's plan has been paid for but has not started. Cancelling the order then cancels that plan. */
  plan_waits: v.boolean(),
  undone: v.array(v.string()),
  money: v.object({
    paid: decimalAmountSchema(),
    given: decimalAmountSchema(),
    left: decimalAmountSchema(),
    /** How much this staff member may refund now without approval. */
    alone: decimalAmountSchema(),
    paid_with: v.string(),
  }),
  /**
   * The open refund request. `is_stale` means that less than the requested amount is left to refund, so the request can
   * only be declined or replaced.
   */
  asked: v.nullable(
    v.object({
      id: v.string(),
      by: v.string(),
      amount: decimalAmountSchema(),
      left_seconds: v.number(),
      is_own: v.boolean(),
      is_stale: v.boolean(),
    }),
  ),
  /** A gateway request that has had no outcome for at least half an hour. `null` if there is none, and for staff outside finance. */
  unsettled: v.nullable(
    v.object({
      of: v.picklist(['payment', 'capture', 'refund']),
      reference: v.string(),
      amount: decimalAmountSchema(),
      since: instantSchema,
      may: v.array(v.picklist(['paid', 'not_paid'])),
      asked: v.nullable(v.object({ by: v.string(), left_seconds: v.number(), is_own: v.boolean() })),
    }),
  ),
  /** Disputes about this order, with the gateway's references. Empty for staff outside finance. */
  disputes: v.array(v.object({ reference: v.string(), words: v.string(), amount: decimalAmountSchema() })),
  deciders: v.array(v.string()),
  /** Texts for support tickets to the gateway and the carrier. They contain references and times, but no customer data. */
  for_gateway: v.string(),
  for_carrier: v.string(),
})
export type DeskOrder = v.InferOutput<typeof orderSchema>

const rowSchema = v.object({
  code: v.string(),
  state: v.string(),
  state_words: v.string(),
  tone,
  kind_words: v.string(),
  title: v.string(),
  amount: decimalAmountSchema(),
  name: v.string(),
  created: instantSchema,
})
export type OrderRow = v.InferOutput<typeof rowSchema>

export const orderLists = ['all', 'open', 'held', 'failed'] as const
export type OrderList = (typeof orderLists)[number]

export const listOrders = endpoint({
  method: 'GET',
  path: '/api/desk/orders/',
  summary: 'Lists orders that are in progress, held or failed, newest first, 50 per page',
  query: v.object({
    of: v.optional(v.picklist(orderLists), 'all'),
    before: v.optional(v.pipe(v.string(), v.maxLength(100))),
  }),
  output: v.object({ orders: v.array(rowSchema), next: v.nullable(v.string()) }),
})

export const readOrder = endpoint({
  method: 'GET',
  path: '/api/desk/orders/:code/',
  summary: 'Returns an order with its history and the actions that are possible',
  params: code,
  output: orderSchema,
})

export const orderActionBody = v.pipe(v.object(reasonFields()), checkReasonNote())

export const retryOrder = endpoint({
  method: 'POST',
  path: '/api/desk/orders/:code/retry/',
  summary: 'Retries a held or waiting order now, or a refund that the gateway has not responded to',
  params: code,
  body: orderActionBody,
  output: v.object({}),
})

export const cancelOrder = endpoint({
  method: 'POST',
  path: '/api/desk/orders/:code/cancel/',
  summary: 'Cancels an order that has not been delivered yet, or a next plan before it starts',
  params: code,
  body: orderActionBody,
  output: v.object({}),
})

const amountMessage = 'Enter an amount such as 5.00.'
export const amountInputSchema = () =>
  v.pipe(
    v.optional(v.string(amountMessage), ''),
    v.transform((typed) => cleanCode(typed).trim().replace(/^\$/, '')),
    v.regex(/^\d{1,6}(?:\.\d{1,2})?$/, amountMessage),
    v.transform((typed) => {
      const [whole = '', part = ''] = typed.split('.')
      return decimalToCents(`${whole}.${part.padEnd(2, '0')}`)
    }),
  )
export const positiveAmountInputSchema = () =>
  v.pipe(amountInputSchema(), v.minValue(1, 'Enter an amount above $0.00.'))

/** `left` is the refundable amount that the person saw. With it, the server can reject a repeated submission that would refund twice. */
export const refundOrderBody = v.pipe(
  v.object({
    amount: positiveAmountInputSchema(),
    left: v.pipe(decimalAmountSchema(), v.transform(decimalToCents)),
    ...reasonFields(),
  }),
  checkReasonNote(),
)

export const refundOrder = endpoint({
  method: 'POST',
  path: '/api/desk/orders/:code/refund/',
  summary: 'Refunds part or all of an order, within the staff member’s own limits',
  params: code,
  body: refundOrderBody,
  output: v.object({
    /** `unknown` means that the gateway has not responded. Fantail repeats the request with the same idempotency key. */
    outcome: v.picklist(['received', 'unknown', 'refused']),
    credit_code: v.nullable(v.string()),
    why: v.nullable(v.string()),
  }),
})

export const requestRefund = endpoint({
  method: 'POST',
  path: '/api/desk/orders/:code/refund/ask/',
  summary: 'Requests approval for a refund above the staff member’s own limits',
  params: code,
  body: refundOrderBody,
  output: v.object({ id: v.string(), lapses: v.string() }),
})

export const requestSettlementBody = v.pipe(
  v.object({
    reference: v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/)),
    said: v.picklist(['paid', 'not_paid'], 'Please choose what the gateway’s site shows.'),
    psp_reference: v.pipe(
      optionalCode(),
      v.regex(
        /^[A-Z0-9]{8,32}$/,
        'Please enter the gateway’s reference: capital letters and digits, as its site shows it.',
      ),
    ),
    ...settlementReasonFields(),
  }),
  checkReasonNote(),
)

export const requestSettlement = endpoint({
  method: 'POST',
  path: '/api/desk/orders/:code/settle/ask/',
  summary: 'Requests approval to settle a gateway request by hand if it has had no outcome for half an hour',
  params: code,
  body: requestSettlementBody,
  output: v.object({ id: v.string(), lapses: v.string() }),
})

export const resendMessage = endpoint({
  method: 'POST',
  path: '/api/desk/orders/:code/messages/:id/resend/',
  summary: 'Sends a message about an order again, to the account’s current address',
  params: v.object({ ...code.entries, id: v.pipe(v.string(), v.uuid()) }),
  output: v.object({}),
})
