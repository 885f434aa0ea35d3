import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { byRegion } from '#kit/contract/phone.ts'
import { portingFields, provesWhose } from '#features/porting/porting.contract.ts'
import { tones } from '#desk/features/customers/happened.contract.ts'
import { portReasonFields, withReason } from '#desk/features/staff/reasons.contract.ts'

export const portMessages = { taken: (name: string) => `${name} has it already.` } as const

const instant = v.string()
const tone = v.picklist(tones)

/** Who has to do something now: we, its customer, the carrier; and how it ended. */
export const portLists = ['need', 'customer', 'carrier', 'failed', 'done'] as const
export type PortList = (typeof portLists)[number]

/** Where it stands, in words. */
const standingSchema = v.object({
  words: v.string(),
  tone,
  why: v.string(),
  is_late: v.boolean(),
  /** Until when its customer's answer counts; null: none is waited for. */
  reply_by: v.nullable(instant),
  /** From when on the other provider looks at it; null: at once, or it has. */
  looked_at_from: v.nullable(instant),
})
export type PortStanding = v.InferOutput<typeof standingSchema>

/** Who of the provider's people is at it; null: nobody. */
const owner = v.nullable(v.object({ name: v.string(), is_own: v.boolean() }))

const rowSchema = v.object({
  reference: v.string(),
  number: v.string(),
  from: v.string(),
  /** A work list names its own rows. */
  name: v.string(),
  standing: standingSchema,
  created: instant,
  /** How long it has been open, or took. */
  seconds: v.number(),
  owner,
  /** What only its customer can do, and can be asked for: their answer, or what is wrong; null: nothing. */
  act: v.nullable(v.picklist(['remind', 'ask'])),
})
export type PortRow = v.InferOutput<typeof rowSchema>

export const listPorts = endpoint({
  method: 'GET',
  path: '/api/desk/ports/',
  summary: 'Number transfers by who has to do something now, fifty a page, with how many there are of each',
  query: v.object({
    of: v.optional(v.picklist(portLists), 'need'),
    before: v.optional(v.pipe(v.string(), v.maxLength(140))),
  }),
  output: v.object({
    /** ISO 8601 instant on the product's clock at which this was read. */
    now: instant,
    rows: v.array(rowSchema),
    next: v.nullable(v.string()),
    /** Of those that failed seven days, of those that are done today. */
    counts: v.object({
      need: v.number(),
      customer: v.number(),
      carrier: v.number(),
      failed: v.number(),
      done: v.number(),
    }),
    /** From when on providers look at a request that is sent now; null: at once. */
    looked_at_from: v.nullable(instant),
  }),
})
export type PortPage = v.InferOutput<typeof listPorts.output>

export const askedFields = ['msisdn', 'provider', 'billing_method', 'prepaid_sim_number', 'account_number'] as const
export type AskedField = (typeof askedFields)[number]

/** What was asked, as its form has it. */
const answersSchema = v.object({
  /** As it is written at home. */
  msisdn: v.string(),
  /** The provider's id. */
  provider: v.string(),
  billing_method: v.picklist(['prepay', 'account']),
  prepaid_sim_number: v.string(),
  account_number: v.string(),
})
export type PortAnswers = v.InferOutput<typeof answersSchema>

const requestSchema = v.object({
  reference: v.string(),
  created: instant,
  words: v.string(),
  tone,
  code: v.nullable(v.string()),
  from: v.string(),
  answers: answersSchema,
  /** What is otherwise than in the request before. */
  changed: v.array(v.picklist(askedFields)),
})
export type PortAsked = v.InferOutput<typeof requestSchema>

const stageSchema = v.object({
  words: v.string(),
  /** Null for what is still to come. */
  at: v.nullable(instant),
  is_now: v.boolean(),
  tone,
})
export type PortStage = v.InferOutput<typeof stageSchema>

/** What came of the transfers from one provider. */
const donorSchema = v.object({
  /** Of so many days. */
  days: v.number(),
  moved: v.number(),
  declined: v.number(),
  called_off: v.number(),
  under_way: v.number(),
  /** Half of those that moved took no longer; null: none did. */
  median_seconds: v.nullable(v.number()),
  /** Why they were declined, the most frequent first. */
  reasons: v.array(v.object({ words: v.string(), code: v.nullable(v.string()), times: v.number() })),
})
export type DonorCheck = v.InferOutput<typeof donorSchema>

/** What its customer can be told now. */
const contactSchema = v.object({
  act: v.picklist(['remind', 'ask']),
  /** As the text says it. */
  text: v.string(),
  /** Where it goes: the number of the SIM of ours. */
  number: v.string(),
  by_mail: v.boolean(),
  /** Null where it can be sent, else why not. */
  why: v.nullable(v.string()),
})
export type PortContact = v.InferOutput<typeof contactSchema>

const portSchema = v.object({
  now: instant,
  reference: v.string(),
  number: v.string(),
  from: v.string(),
  standing: standingSchema,
  created: instant,
  ended: v.nullable(instant),
  seconds: v.number(),
  /** When the network is asked next. */
  next_try: v.nullable(instant),
  customer: v.object({ id: v.nullable(v.string()), name: v.string(), number: v.string() }),
  order_code: v.nullable(v.string()),
  stages: v.array(stageSchema),
  /** Why it did not come about, and what to ask its customer for. */
  decline: v.nullable(
    v.object({
      why: v.string(),
      code: v.nullable(v.string()),
      ask: v.string(),
      field: v.nullable(v.picklist(askedFields)),
    }),
  ),
  /** Every request of its service, the oldest first. */
  requests: v.array(requestSchema),
  events: v.array(v.object({ at: instant, words: v.string(), detail: v.string(), by: v.nullable(v.string()), tone })),
  answers: answersSchema,
  donors: v.array(v.object({ id: v.string(), name: v.string() })),
  looked_at_from: v.nullable(instant),
  owner,
  /** What to expect of the other provider. */
  donor: donorSchema,
  /** The request that took its place; null where it is the last. */
  later: v.nullable(v.string()),
  /** Null where nothing is asked of its customer. */
  contact: v.nullable(contactSchema),
  /** Null where it can be done, else why not. */
  correct_why: v.nullable(v.string()),
  cancel_why: v.nullable(v.string()),
  /** References and times, nothing of the customer's. */
  for_carrier: v.string(),
})
export type DeskPort = v.InferOutput<typeof portSchema>

/** How those of so many days went, over all providers. */
const figuresSchema = v.object({
  days: v.number(),
  /** Those that most numbers came from, the most first. */
  donors: v.array(
    v.object({
      name: v.string(),
      /** How many services asked for their number for the first time, and how many of those numbers came. */
      asked: v.number(),
      came: v.number(),
      median_seconds: v.nullable(v.number()),
    }),
  ),
  failed: v.number(),
  /** The most frequent first; a code where we have no words of our own for it. */
  reasons: v.array(v.object({ words: v.string(), code: v.nullable(v.string()), times: v.number() })),
})
export type PortFigures = v.InferOutput<typeof figuresSchema>

export const readPortFigures = endpoint({
  method: 'GET',
  path: '/api/desk/port-figures/',
  summary: 'How number transfers went of late: how many came at the first request, by provider, and why others failed',
  output: figuresSchema,
})

const params = v.object({ reference: v.pipe(v.string(), v.regex(/^[\w-]{3,80}$/)) })

export const readPort = endpoint({
  method: 'GET',
  path: '/api/desk/ports/:reference/',
  summary: 'A number transfer: where it stands, what was asked, what the network said, what can be done',
  params,
  output: portSchema,
})

export const takePort = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/take/',
  summary: 'Takes a number transfer that nobody has',
  params,
  output: v.object({}),
})

export const handBackPort = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/hand-back/',
  summary: 'Leaves a number transfer to whoever takes it next; a lead does so with anybody’s',
  params,
  output: v.object({}),
})

/** What is asked for now, whole, and why. */
export const correctionSchemas = byRegion((region) =>
  v.pipe(v.object({ ...portingFields(region), ...portReasonFields() }), provesWhose(), withReason()),
)

export const correctPort = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/correct/',
  summary: 'Asks for a number again, with what is put right; the request before stays as it was',
  params,
  // Its route has the market's.
  body: correctionSchemas.NZ,
  output: v.object({ reference: v.string() }),
})

export const cancelBody = v.pipe(v.object(portReasonFields()), withReason())

export const cancelPort = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/cancel/',
  summary: 'Calls a number transfer off, while the network still can, and says what came of it',
  params,
  body: cancelBody,
  output: v.object({
    outcome: v.picklist(['cancelled', 'undecided', 'refused', 'over']),
    said: v.string(),
  }),
})

const saidOutput = v.object({ said: v.string() })

export const remindOfPort = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/remind/',
  summary: 'Sends the customer the text again that asks for their answer, and the mail',
  params,
  output: saidOutput,
})

export const askBody = v.pipe(v.object(portReasonFields()), withReason())

export const askByText = endpoint({
  method: 'POST',
  path: '/api/desk/ports/:reference/ask/',
  summary: 'Tells the customer by text and mail what is wrong with what was sent, and where to put it right',
  params,
  body: askBody,
  output: saidOutput,
})
