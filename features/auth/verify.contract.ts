import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const verifyMessages = {
  done: 'Thank you, your email address is confirmed.',
  invalid: 'This link is no longer valid. It may have been used already, or have expired.',
  resent: 'Email resent. Please check your inbox.',
} as const

/** The token of a link in a mail. */
export const linkToken = (message: string = verifyMessages.invalid) =>
  v.object({ token: v.pipe(v.optional(v.string(message), ''), v.nonEmpty(message), v.maxLength(100, message)) })

/** Mail links land on a page that sends the token, so that a scanner which only opens links uses nothing up. */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/account/verify_email/',
  summary: 'Confirms an e-mail address with the token of its link; signs nobody in',
  body: linkToken(),
  output: v.object({ email_verified: v.literal(true) }),
})

export const resendVerification = endpoint({
  method: 'GET',
  path: '/api/account/resend_verification/',
  summary: 'Sends the mail that confirms an address once more',
  csrf: true,
  output: v.object({ message: v.string() }),
})
