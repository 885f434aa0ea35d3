import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { emailMaxLength } from '#kit/contract/email.ts'
import { requiredNewEmail } from '#kit/contract/new-email.ts'
import { optionalCode, requiredCode } from '#kit/contract/schema.ts'
import { passwordConfirmationField } from '#features/auth/password-confirmation.contract.ts'
import { linkTokenSchema } from '#features/auth/verify.contract.ts'

/** Spec 9. */
export const pinLength = 6

export const changeEmailMessages = {
  newEmail: 'Please enter a valid email address.',
  otp: 'Please enter your One-Time PIN.',
  otpWrong: (triesLeft: number) =>
    `That One-Time PIN isn’t right. Please check it and try again. ${
      triesLeft === 1
        ? 'You have 1 try left. After that you can’t change your email address until tomorrow.'
        : `You have ${triesLeft} tries left today.`
    }`,
  otpExpired: 'This One-Time PIN has expired. Press RESEND PIN, then enter the new one.',
  same: 'This is already your email address.',
  noRequest: 'There’s no email change in progress. Please start again.',
  linkInvalid: 'This link is no longer valid. It may have been used already, or have expired.',
  pinResent: 'We’ve sent you a new One-Time PIN.',
  emailResent: 'Email resent. Please check your inbox.',
} as const

const emailChangeStates = ['CREATED', 'REQUESTED', 'VERIFIED', 'EXPIRED', 'FINISHED', 'CANCELED'] as const

const emailChangeSchema = v.object({
  state: v.picklist(emailChangeStates),
  /** The requested new address; an empty string while no email change is requested. */
  new_email: v.string(),
  /**
   * The masked recipient of the PIN, for example `•••• 142` for a phone number or `a•••@example.nz` for the old
   * address. An empty string unless a PIN is expected.
   */
  sent_to: v.string(),
  /** Why the email change was CANCELED; `null` in all other states, and for changes from before the reason was stored. */
  canceled_by: v.nullable(v.picklist(['wrong_pins', 'address_taken'])),
  /** When a customer who has used up the day's PIN attempts can try again, as an ISO 8601 instant; `null` while attempts remain. */
  locked_until: v.nullable(v.string()),
})
export type EmailChangeView = v.InferOutput<typeof emailChangeSchema>

export const newEmailSchema = v.object({
  new_email: requiredNewEmail(),
  password: passwordConfirmationField(),
})
export type NewEmail = v.InferOutput<typeof newEmailSchema>
export const pinSchema = v.object({
  otp: v.pipe(requiredCode(changeEmailMessages.otp), v.regex(/^\d{6}$/, changeEmailMessages.otp)),
})

export const readChangeEmail = endpoint({
  method: 'GET',
  path: '/api/account/update_email/',
  summary: 'Shows the current step of the email change',
  output: emailChangeSchema,
})

export const updateEmail = endpoint({
  method: 'POST',
  path: '/api/account/update_email/',
  summary:
    'Requests a change to `new_email` (with `password` if it was last entered more than a day ago), ' +
    'then checks the PIN (`otp`); with both, the PIN must be for that address',
  body: v.object({
    new_email: v.pipe(
      optionalCode(changeEmailMessages.newEmail),
      v.maxLength(emailMaxLength, changeEmailMessages.newEmail),
    ),
    otp: v.pipe(optionalCode(changeEmailMessages.otp), v.maxLength(pinLength, changeEmailMessages.otp)),
    password: passwordConfirmationField(),
  }),
  output: emailChangeSchema,
})

export const resendPin = endpoint({
  method: 'POST',
  path: '/api/account/update_email/resend_otp/',
  summary: 'Sends a new PIN, which replaces the old one',
  output: emailChangeSchema,
})

export const resendChangeEmail = endpoint({
  method: 'POST',
  path: '/api/account/update_email/resend_email/',
  summary: 'Resends the link to the new address',
  output: emailChangeSchema,
})

export const confirmChangeEmail = endpoint({
  method: 'POST',
  path: '/api/account/update_email/confirm/',
  summary: 'Changes the email address, using the token from the link sent to the new address',
  body: linkTokenSchema(changeEmailMessages.linkInvalid),
  output: emailChangeSchema,
})
