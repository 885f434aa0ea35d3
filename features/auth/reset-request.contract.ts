import * as v from 'valibot'
import { requiredEmail } from '#kit/contract/email.ts'
import { endpoint } from '#kit/contract/endpoint.ts'
import { toPortalPath } from '#kit/contract/portal-path.ts'

export const resetRequestMessages = {
  /** The message must not reveal whether the email address has an account. */
  requested:
    'If that address has an account, an email with a link to set a new password is on its way. ' +
    'Links in emails from the last hour still work.',
  earlier: 'If that address has an account, links in our emails from the last hour still work.',
  sent: 'We’ve emailed you a link to set a new password. Log out before you open it: the link only works while you’re logged out.',
  next: 'Please open the page again.',
} as const

/**
 * Maximum length of the requested page's path. Even if URL encoding triples it, mail programs can still open the link.
 */
export const maxNextPathLength = 300

export const resetRequestSchema = v.object({
  email: requiredEmail(),
  /** Path of the portal page that the visitor wanted to open. The emailed link leads to this page after the reset. */
  next: v.pipe(
    v.optional(v.string(resetRequestMessages.next), ''),
    v.maxLength(maxNextPathLength, resetRequestMessages.next),
    v.transform((next) => (next ? toPortalPath(next) : '/')),
  ),
})

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/account/password_reset_request/',
  summary: 'Emails a link to set a new password if the address has an account; the response is the same if it has none',
  body: resetRequestSchema,
  output: v.object({ message: v.string() }),
})
