import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { createForEachRegion } from '#kit/contract/phone.ts'
import { portingFields, requireOwnershipProof } from '#features/porting/porting.contract.ts'
import { tones } from '#desk/features/customers/customer-history.contract.ts'
import { portReasonFields, checkReasonNote } from '#desk/features/staff/reasons.contract.ts'

export const portMessages = { taken: (name: string) => `${name} has already taken this transfer.` } as const

const instantSchema = v.string()
const tone = v.picklist(tones)

/** Lists of number transfers, by who has to act next (desk, customer or carrier) or by how they ended. */
export const portLists = ['need', 'customer', 'carrier', 'failed', 'done'] as const
export type PortList = (typeof portLists)[number]

const portStatusSchema = v.object({
  words: v.string(),
  tone,
  why: v.string(),
  is_late: v.boolean(),
  /** Deadline for the customer's reply; `null` if no reply is expected or the deadline has passed. */
  reply_by: v.nullable(instantSchema),
  /** When the other provider starts to handle the request; `null` if it does so immediately or has already started. */
  looked_at_from: v.nullable(instantSchema),
})
export type PortStatusView = v.InferOutput<typeof portStatusSchema>

const owner = v.nullable(v.object({ name: v.string(), is_own: v.boolean() }))

const rowSchema = v.object({
  reference: v.string(),
  number: v.string(),
  from: v.string(),
  name: v.string(),
  standing: portStatusSchema,
  created: instantSchema,
  /** Seconds for which the transfer has been open, or that it took if it has finished. */
  seconds: v.number(),
  owner,
  /**
   * The message that staff can send to the customer: `remind` reminds them to reply, `ask` asks for a correction, and
   * `null` means none.
   */
  act: v.nullable(v.picklist(['remind', 'ask'])),
})
export type PortRow = v.InferOutput<typeof rowSchema>

export const listPorts = endpoint({
  method: 'GET',
  path: '/api/desk/ports/',
  summary: 'Lists number transfers by who has to act next, 50 per page, with a count for each list',
  query: v.object({
    of: v.optional(v.picklist(portLists), 'need'),
    before: v.optional(v.pipe(v.string(), v.maxLength(140))),
  }),
  output: v.object({
    /** When the list was read, as an ISO 8601 instant by the application's clock. */
    now: instantSchema,
    rows: v.array(rowSchema),
    next: v.nullable(v.string()),
    /** The `failed` count covers the last seven days, and the `done` count covers today. */
    counts: v.object({
      need: v.number(),
      customer: v.number(),
      carrier: v.number(),
      failed: v.number(),
      done: v.number(),
    }),
    looked_at_from: v.nullable(instantSchema),
  }),
})
export type PortPage = v.InferOutput<typeof listPorts.output>

export const portRequestFields = [
  'msisdn',
  'provider',
  'billing_method',
  'prepaid_sim_number',
  'account_number',
] as const
export type PortRequestField = (typeof portRequestFields)[number]

const portRequestDataSchema = v.object({
  /** The phone number in national format. */
  msisdn: v.string(),
  provider: v.string(),
  billing_method: v.picklist(['prepay', 'account']),
  prepaid_sim_number: v.string(),
  account_number: v.string(),
})
export type PortRequestData = v.InferOutput<typeof portRequestDataSchema>

const portRequestSchema = v.object({
  reference: v.string(),
  created: instantSchema,
  words: v.string(),
  tone,
  code: v.nullable(v.string()),
  from: v.string(),
  answers: portRequestDataSchema,
  /** Fields that differ from the previous transfer request. */
  changed: v.array(v.picklist(portRequestFields)),
})
export type PortRequest = v.InferOutput<typeof portRequestSchema>

const stageSchema = v.object({
  words: v.string(),
  /** When the stage was reached; `null` for a future stage, or if the network did not report the time. */
  at: v.nullable(instantSchema),
  is_now: v.boolean(),
  tone,
})
export type PortStage = v.InferOutput<typeof stageSchema>

const donorSchema = v.object({
  days: v.number(),
  moved: v.number(),
  declined: v.number(),
  called_off: v.number(),
  under_way: v.number(),
  median_seconds: v.nullable(v.number()),
  reasons: v.array(v.object({ words: v.string(), code: v.nullable(v.string()), times: v.number() })),
})
export type DonorStatistics = v.InferOutput<typeof donorSchema>

const contactSchema = v.object({
  act: v.picklist(['remind', 'ask']),
  text: v.string(),
  /** Where the message goes: the number of the customer's SIM with this provider. */
  number: v.string(),
  by_mail: v.boolean(),
  why: v.nullable(v.string()),
})
export type PortContact = v.InferOutput<typeof contactSchema>

const portSchema = v.object({
  now: instantSchema,
  reference: v.string(),
  number: v.string(),
  from: v.string(),
  standing: portStatusSchema,
  created: instantSchema,
  ended: v.nullable(instantSchema),
  seconds: v.number(),
  next_try: v.nullable(instantSchema),
  customer: v.object({ id: v.nullable(v.string()), name: v.string(), number: v.string() }),
  order_code: v.nullable(v.string()),
  stages: v.array(stageSchema),
  decline: v.nullable(
    v.object({
      why: v.string(),
      code: v.nullable(v.string()),
      ask: v.string(),
      field: v.nullable(v.picklist(portRequestFields)),
    }),
  ),
  /** All transfer requests for the same service, oldest first. */
  requests: v.array(portRequestSchema),
  events: v.array(
    v.object({ at: instantSchema, words: v.string(), detail: v.string(), by: v.nullable(v.string()), tone }),
  ),
  answers: portRequestDataSchema,
  donors: v.array(v.object({ id: v.string(), name: v.string() })),
  looked_at_from: v.nullable(instantSchema),
  owner,
  donor: donorSchema,
  /** The reference of the service's latest transfer request; `null` if this request is the latest. */
  later: v.nullable(v.string()),
  /** The message to the customer. `null` if there is nothing to ask for, or if the customer has been erased. */
  contact: v.nullable(contactSchema),
  correct_why: v.nullable(v.string()),
  cancel_why: v.nullable(v.string()),
  /** Text for a support ticket. It contains references and times, but no customer data. */
  for_carrier: v.string(),
})
export type DeskPort = v.InferOutput<typeof portSchema>

const figuresSchema = v.object({
  days: v.number(),
  donors: v.array(
    v.object({
      name: v.string(),
      /** `asked` counts services whose first transfer request has been decided, and `came` counts those whose first request completed. */
      asked: v.number(),
      came: v.number(),
      median_seconds: v.nullable(v.number()),
    }),
  ),
  failed: v.number(),
  /** Reasons why transfers failed, most frequent first. `code` is set only for a reason that has no label. */
  reasons: v.array(v.object({ words: v.string(), code: v.nullable(v.string()), times: v.number() })),
})
export type PortFigures = v.InferOutput<typeof figuresSchema>

export const readPortFigures = endpoint({
  method: 'GET',
  path: '/api/desk/port-figures/',
  summary:
    'Returns statistics about recent number transfers: how many succeeded at the first request, by provider, and why transfers failed',
  output: figuresSchema,
})

const params = v.object({ reference: v.pipe(v.string(), v.regex(/^[\w-]{3,80}$/)) })

export const readPort = endpoint({
  method: 'GET',
  path: '/api/desk/ports/:reference/',
  summary: 'Returns a number transfer: its status, requests, answers from the network and possible actions',
  params,
  output: portSchema,
})

export const assignPortToSelf = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/take/',
  summary: 'Assigns an unassigned number transfer to the signed-in person',
  params,
  output: v.object({}),
})

export const releasePort = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/hand-back/',
  summary: 'Unassigns a number transfer. Only its owner or a team lead can do this',
  params,
  output: v.object({}),
})

export const portCorrectionSchemas = createForEachRegion((region) =>
  v.pipe(v.object({ ...portingFields(region), ...portReasonFields() }), requireOwnershipProof(), checkReasonNote()),
)

export const correctPort = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/correct/',
  summary: 'Requests a number transfer again with corrected details, without changing the earlier request',
  params,
  // This schema is a placeholder: the route uses the market's own schema.
  body: portCorrectionSchemas.NZ,
  output: v.object({ reference: v.string() }),
})

export const cancelPortBodySchema = v.pipe(v.object(portReasonFields()), checkReasonNote())

export const cancelPort = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/cancel/',
  summary: 'Cancels a number transfer while the network still can, and returns the result',
  params,
  body: cancelPortBodySchema,
  output: v.object({
    outcome: v.picklist(['cancelled', 'undecided', 'refused', 'over']),
    said: v.string(),
  }),
})

const outcomeMessageSchema = v.object({ said: v.string() })

export const remindCustomer = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/remind/',
  summary: 'Reminds the customer, by text and email, to confirm the transfer',
  params,
  output: outcomeMessageSchema,
})

export const askCustomerBodySchema = v.pipe(v.object(portReasonFields()), checkReasonNote())

export const askCustomerForCorrection = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/ask/',
  summary: 'Tells the customer by text and email what to correct, and where',
  params,
  body: askCustomerBodySchema,
  output: outcomeMessageSchema,
})
