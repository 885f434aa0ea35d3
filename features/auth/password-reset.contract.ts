import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { checkPasswordsMatch, newPasswordSchema } from '#kit/contract/password.ts'
import { optionalCode, requiredSecret } from '#kit/contract/schema.ts'
import { accountSchema } from './auth.contract.ts'

export const resetMessages = {
  invalid: 'This link is no longer valid. It may have been used already, or have expired.',
  /** Shown instead of the form when the link's token cannot be one of ours, because a mail program or a person added something to it. */
  extraCharacters: 'This link has extra characters at its end, so it can’t work. Please open it again from our email.',
  askAgain: 'Ask for a new link',
  short: 'Password must be at least 6 characters.',
  mismatch: "The two password fields don't match.",
  /**
   * This message is shown when the account's email address has not been verified. `ending` is the last three digits of the account's phone
   * number.
   */
  pinSent: (ending: string) => `We’ve sent a One-Time PIN to your number ending ${ending}. Please enter it here.`,
  pinWrong: 'That PIN is wrong or has expired. Please try again.',
  noNumber:
    'We can’t send you a One-Time PIN yet, because this account has no phone number. Please try again once your SIM is active.',
} as const

export const resetPinLength = 6

/** Whether text could be the token of a link, or the start of one. A token has 43 characters of the base64url alphabet. */
export const isTokenText = (text: string): boolean => /^[\w-]{1,43}$/.test(text)

export const resetPasswordSchema = v.pipe(
  v.object({
    password: newPasswordSchema(resetMessages.short),
    password_confirm: requiredSecret(),
    /**
     * The PIN is only required while the account's email address is unverified. Submitting the form without a PIN makes the server text a
     * PIN to the account's number.
     */
    pin: v.pipe(optionalCode(resetMessages.pinWrong), v.maxLength(20, resetMessages.pinWrong)),
  }),
  v.rawCheck((form) => checkPasswordsMatch(form, 'password', 'password_confirm', resetMessages.mismatch)),
)

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/forgot_password_reset/:uid/:token/',
  summary: 'Sets a new password with an emailed link, ends every session and logs in',
  params: v.object({ uid: v.string(), token: v.string() }),
  body: resetPasswordSchema,
  output: accountSchema,
})
