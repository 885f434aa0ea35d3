import * as v from 'valibot'
import { cleanCode } from '#kit/contract/clean-text.ts'
import { endpoint } from '#kit/contract/endpoint.ts'

export const callerPinLength = 6
export const callerPinLifetimeMinutes = 10
export const verificationMinutes = 30

export const callerMessages = {
  first: 'Please verify the caller first: send a PIN and enter the digits they read out.',
  way: 'Please choose where to send the PIN.',
  pin: 'Please enter the six digits the caller reads out.',
  wrong: (left: number): string =>
    left === 1 ? 'That PIN is wrong. 1 try left.' : `That PIN is wrong. ${left} tries left.`,
  usedUp: 'That was the fifth wrong try, so the PIN no longer works. Send another PIN.',
  none: 'There is no valid PIN: the last one expired after ten minutes or was used. Send another PIN.',
} as const

const params = v.object({ id: v.string() })

const destinationSchema = v.object({
  id: v.string(),
  by: v.picklist(['text', 'mail']),
  /** Where the PIN is sent, as a masked phone number or email address. */
  to: v.string(),
  why_not: v.nullable(v.string()),
})
export type CallerPinDestination = v.InferOutput<typeof destinationSchema>

const callerSchema = v.object({
  /** Until when the caller counts as verified, for this staff member only. `null` if the caller is not verified. */
  verified_until: v.nullable(v.string()),
  asked: v.nullable(
    v.object({ by: destinationSchema.entries.by, to: v.string(), until: v.string(), tries_left: v.number() }),
  ),
  ways: v.array(destinationSchema),
})
export type Caller = v.InferOutput<typeof callerSchema>

export const readCaller = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/caller/',
  summary: 'Returns whether this member of staff has verified the caller, and where a PIN can be sent',
  params,
  output: callerSchema,
})

export const callerPinBody = v.object({
  way: v.pipe(v.optional(v.string(), ''), v.nonEmpty(callerMessages.way), v.maxLength(40, callerMessages.way)),
})

export const sendCallerPin = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/caller/pin/',
  summary: 'Sends a PIN to one of the customer’s numbers or to their confirmed address; an earlier PIN stops working',
  params,
  body: callerPinBody,
  output: callerSchema,
})

export const callerVerifyBody = v.object({
  pin: v.pipe(
    v.optional(v.string(), ''),
    v.maxLength(20, callerMessages.pin),
    v.transform((typed) => cleanCode(typed).replaceAll(/\s/g, '')),
    v.regex(/^\d{6}$/, callerMessages.pin),
  ),
})

export const verifyCaller = endpoint({
  method: 'POST',
  path: '/api/desk/customers/:id/caller/verify/',
  summary:
    'Checks the PIN that the caller reads out. Each PIN allows five tries. A correct PIN verifies the caller for half an hour',
  params,
  body: callerVerifyBody,
  output: v.object({ verified_until: v.string() }),
})
