import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const callerPinLength = 6
export const callerPinMinutes = 10
export const verifiedMinutes = 30

export const callerMessages = {
  first: 'Please verify the caller first: send them a PIN, and enter what they read out.',
  way: 'Please choose where the PIN goes.',
  pin: 'Please enter the six digits that they read out.',
  wrong: (left: number): string =>
    left === 1 ? 'That PIN is wrong. There is 1 more try.' : `That PIN is wrong. There are ${left} more tries.`,
  usedUp: 'That PIN is wrong, for the fifth time: it is no good any more. Send another one.',
  none: 'No PIN is waited for: the last one is older than ten minutes, or was used up. Send another one.',
} as const

const params = v.object({ id: v.string() })

const waySchema = v.object({
  id: v.string(),
  by: v.picklist(['text', 'mail']),
  /** A masked phone number or email address. */
  to: v.string(),
  why_not: v.nullable(v.string()),
})
export type CallerWay = v.InferOutput<typeof waySchema>

const callerSchema = v.object({
  /**
   * The caller counts as verified until then, for this member of staff only. `null` when the caller is not verified.
   */
  verified_until: v.nullable(v.string()),
  asked: v.nullable(v.object({ by: waySchema.entries.by, to: v.string(), until: v.string(), tries_left: v.number() })),
  ways: v.array(waySchema),
})
export type Caller = v.InferOutput<typeof callerSchema>

export const caller = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/caller/',
  summary: 'Whether the caller has shown this member of staff that they are the customer, and where a PIN may go',
  params,
  output: callerSchema,
})

export const callerPinBody = v.object({
  way: v.pipe(v.optional(v.string(), ''), v.nonEmpty(callerMessages.way), v.maxLength(40, callerMessages.way)),
})

export const sendCallerPin = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/caller/pin/',
  summary: 'Sends a PIN to a number of the customer’s, or to their confirmed address; one before it is void',
  params,
  body: callerPinBody,
  output: callerSchema,
})

export const callerVerifyBody = v.object({
  pin: v.pipe(
    v.optional(v.string(), ''),
    v.maxLength(20, callerMessages.pin),
    v.transform((typed) => typed.replaceAll(/\s/g, '')),
    v.regex(/^\d{6}$/, callerMessages.pin),
  ),
})

export const verifyCaller = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/caller/verify/',
  summary: 'Compares what the caller reads out: five tries for each PIN, and right it counts for half an hour',
  params,
  body: callerVerifyBody,
  output: v.object({ verified_until: v.string() }),
})
