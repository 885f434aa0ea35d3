import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { maxPasswordLength } from '#kit/contract/password.ts'

export const verifyMessages = {
  done: 'Thank you, your email address is confirmed.',
  joined: 'Thank you, your new phone number has been added to your account.',
  notMe: 'Thank you. We won’t email you about that account again.',
  invalid: 'This link is no longer valid. It may have been used already, or have expired.',
  resent: 'Email resent. Please check your inbox.',
  stopped: 'The owner of this address has told us that it isn’t yours. Please change your email address.',
  password: 'Please enter the password you chose when you activated this SIM.',
  passwordWrong: 'That isn’t the password you chose when you activated this SIM.',
  accountPassword: 'This email address already has an account. Please enter the password for that account.',
  accountPasswordWrong: 'That isn’t the password for your existing account.',
} as const

export const linkTokenSchema = (message: string = verifyMessages.invalid) =>
  v.object({ token: v.pipe(v.optional(v.string(message), ''), v.nonEmpty(message), v.maxLength(100, message)) })

const passwordFieldSchema = (wrongMessage: string) =>
  v.pipe(v.optional(v.string(wrongMessage), ''), maxPasswordLength(wrongMessage))

export const verifyEmailSchema = v.object({
  ...linkTokenSchema().entries,
  /**
   * The password of the account that the link confirms. Not needed if this browser is signed in to the account or
   * placed its order.
   */
  password: passwordFieldSchema(verifyMessages.passwordWrong),
  /**
   * The password of the other account, which has already verified the address. Not needed if this browser is signed in
   * to that account.
   */
  account_password: passwordFieldSchema(verifyMessages.accountPasswordWrong),
})

/**
 * Opening the emailed link only loads a page, which then submits the token. A mail scanner that merely opens the link
 * therefore does not use up the token.
 */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/account/verify_email/',
  summary:
    'Confirms an email address with the token from the emailed link and proof of who created the account; does not log the customer in',
  body: verifyEmailSchema,
  output: v.object({
    email_verified: v.literal(true),
    /** True if the account was merged into another account, which had already verified the address. */
    joined: v.boolean(),
  }),
})

const verificationSchema = v.object({
  /** The phone number of the account's service in national format; `null` until the account has a service. */
  phone_number: v.nullable(v.string()),
  needs_password: v.boolean(),
  needs_account_password: v.boolean(),
})
export type Verification = v.InferOutput<typeof verificationSchema>

export const readVerification = endpoint({
  method: 'POST',
  path: '/api/account/verify_email/about/',
  summary: 'Returns the phone number that a confirmation link belongs to, and says which passwords it asks for',
  body: linkTokenSchema(),
  output: verificationSchema,
})

export const stopAccountMail = endpoint({
  method: 'POST',
  path: '/api/account/verify_email/not_me/',
  summary:
    'Stops all emails about an account that somebody else created with the recipient’s address; the account is kept',
  body: linkTokenSchema(),
  output: v.object({ mail_stopped: v.literal(true) }),
})

export const resendVerification = endpoint({
  method: 'GET',
  path: '/api/account/resend_verification/',
  summary: 'Resends the email that confirms an address',
  csrf: true,
  output: v.object({ message: v.string() }),
})
