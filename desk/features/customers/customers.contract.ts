import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { reasonFields, checkReasonNote } from '#desk/features/staff/reasons.contract.ts'
import { createFieldIssue, decimalAmountSchema } from '#kit/contract/schema.ts'
import { historyPageSchema, cursorSchema } from './customer-history.contract.ts'

export const accessReasonLabels = {
  call: 'A call',
  mail: 'An email from the customer',
  ticket: 'A ticket',
  task: 'A task',
  check: 'An internal check',
} as const
export type AccessReason = keyof typeof accessReasonLabels
export const accessReasons = Object.keys(accessReasonLabels) as [AccessReason, ...AccessReason[]]

export const customerMessages = {
  why: 'Please choose why you need to see this customer.',
  ticket: 'Please enter the ticket number.',
  ticketLong: 'A ticket number can have at most 40 characters.',
  note: 'Please write a note.',
  noteLong: 'A note can have at most 1,000 characters.',
} as const

export const paymentSummaryDays = 90

/** Actions that staff can take on a customer's account. Each name is the last segment of the endpoint's path. */
export const customerActionNames = ['unlock', 'sign-out', 'block', 'unblock'] as const
export type CustomerActionName = (typeof customerActionNames)[number]

/** Unlocking and unblocking require a verified caller, because an impostor on the phone would ask for them too. */
export const requiresVerifiedCaller = (act: CustomerActionName): boolean => act === 'unlock' || act === 'unblock'

const params = v.object({ id: v.string() })
const instantSchema = v.string()

const numberSchema = v.object({
  id: v.string(),
  number: v.string(),
  name: v.nullable(v.string()),
  state: v.picklist(['active', 'ended', 'released']),
  plan: v.nullable(v.string()),
  ends: v.nullable(instantSchema),
  since: instantSchema,
  released: v.nullable(instantSchema),
  sim: v.string(),
  auto_renewal: v.boolean(),
  renewal_failed: v.boolean(),
  next_plan: v.nullable(v.string()),
  next_starts: v.nullable(instantSchema),
  /** The latest transfer to this number. `null` if there was none, and for staff without the support role. */
  port: v.nullable(v.object({ reference: v.string(), words: v.string() })),
})
export type CustomerNumber = v.InferOutput<typeof numberSchema>

const accessLogEntrySchema = v.object({ name: v.string(), what: v.string(), why: v.string(), at: instantSchema })
export type AccessLogEntry = v.InferOutput<typeof accessLogEntrySchema>

const noteSchema = v.object({ id: v.string(), body: v.string(), by: v.string(), at: instantSchema })
const taskSchema = v.object({
  id: v.string(),
  reason: v.string(),
  order_code: v.string(),
  due: v.nullable(instantSchema),
})

const customerSchema = v.object({
  email: v.string(),
  email_verified: v.boolean(),
  since: instantSchema,
  blocked: v.nullable(instantSchema),
  erased: v.nullable(instantSchema),
  to_be_erased: v.nullable(instantSchema),
  contact_phone: v.nullable(v.string()),
  saved_card: v.nullable(v.object({ name: v.string(), expiry: v.string() })),
  sessions: v.number(),
  /** When the customer last entered a password in a session that is still open. */
  signed_in: v.nullable(instantSchema),
  limits: v.array(v.object({ of: v.string(), used: v.number(), most: v.number(), until: v.nullable(instantSchema) })),
  /** Whether so many sign-ins were attempted that the limit for the caller’s own IP address may have been reached. */
  ip_may_be_locked: v.boolean(),
  marketing: v.boolean(),
  money: v.object({ paid: decimalAmountSchema(), given: decimalAmountSchema() }),
  numbers: v.array(numberSchema),
  tasks: v.array(taskSchema),
  /** Notes about the customer; `null` for staff without the support role. */
  notes: v.nullable(v.array(noteSchema)),
  looked: v.array(accessLogEntrySchema),
  happened: historyPageSchema,
  acts: v.array(v.picklist(customerActionNames)),
  /**
   * Until when this reader's verification of the caller lasts. `null` if this reader has not verified the caller, or
   * lacks the support role.
   */
  caller_until: v.nullable(instantSchema),
})
export type Customer = v.InferOutput<typeof customerSchema>

/** Why the reader opened the customer's record, and until when they may see it. `null` means that the reader must give a reason first. */
export const customerAccessSchema = v.nullable(v.object({ why: v.string(), until: instantSchema }))

export const readCustomer = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/',
  summary:
    'Returns a customer’s record if the signed-in person opened it in the last half hour; otherwise only a masked name',
  params,
  output: v.object({
    name: v.string(),
    opened: customerAccessSchema,
    customer: v.nullable(customerSchema),
  }),
})
export type CustomerPage = v.InferOutput<typeof readCustomer.output>

export const openCustomerBody = v.pipe(
  v.object({
    reason: v.picklist(accessReasons, customerMessages.why),
    ticket: v.pipe(
      v.optional(v.string(), ''),
      v.transform((typed) => typed.replaceAll(/\p{Cc}/gu, ' ').trim()),
      v.maxLength(40, customerMessages.ticketLong),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && dataset.value.reason === 'ticket' && dataset.value.ticket === '')
      addIssue(createFieldIssue(dataset.value, 'ticket', customerMessages.ticket))
  }),
)

export const openCustomer = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/open/',
  summary: 'Opens a customer’s record for half an hour, for a stated reason',
  params,
  body: openCustomerBody,
  output: v.object({}),
})

export const showEmail = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/show-email/',
  summary: 'Returns a customer’s full email address, and logs that it was shown',
  params,
  output: v.object({ email: v.string() }),
})

export const noteBody = v.object({
  body: v.pipe(
    v.optional(v.string(), ''),
    v.transform((typed) => typed.replaceAll(/[^\P{Cc}\n]/gu, ' ').trim()),
    v.nonEmpty(customerMessages.note),
    v.maxLength(1_000, customerMessages.noteLong),
  ),
})

export const writeNote = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/notes/',
  summary: 'Saves a note for colleagues',
  params,
  body: noteBody,
  output: v.object({}),
})

export const listAccessLog = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/looked/',
  summary: 'Returns who opened a customer’s record or revealed details, and why. Reading this list is itself logged',
  params,
  query: v.object({ before: v.optional(cursorSchema()) }),
  output: v.object({ name: v.string(), rows: v.array(accessLogEntrySchema), next: v.nullable(v.string()) }),
})

export const reasonBody = v.pipe(v.object(reasonFields()), checkReasonNote())
const outcomeSchema = v.object({ said: v.string() })

export const resendCustomerMessage = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/messages/:message/again/',
  summary:
    'Sends a customer’s message again to the account’s current email address, with current details or, for a reminder, as a copy',
  params: v.object({ id: v.string(), message: v.string() }),
  body: reasonBody,
  output: outcomeSchema,
})

const actOn = <Name extends CustomerActionName>(name: Name, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/api/desk/customers/:id/${name}/`,
    summary,
    params,
    body: reasonBody,
    output: outcomeSchema,
  })

export const customerActionEndpoints = {
  unlock: actOn('unlock', 'Resets an account’s counts of failed sign-ins and wrong PINs to zero'),
  'sign-out': actOn('sign-out', 'Signs a customer out on all devices'),
  block: actOn('block', 'Blocks a customer from signing in and paying, and switches auto-renewal off'),
  unblock: actOn('unblock', 'Unblocks a customer, who can sign in and pay again'),
} as const
