import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { emailMaxLength, normaliseEmail } from '#kit/contract/email.ts'
import { requiredSecret, requiredText } from '#kit/contract/schema.ts'
import { passwordMaxLength } from '#kit/contract/password.ts'
import { accountSchema } from './auth.contract.ts'

export const loginMessages = {
  /**
   * The message is the same for an unknown email address and a wrong password, so that it does not reveal which
   * addresses have an account.
   */
  wrong: 'Please enter a correct email address and password.',
  locked: {
    message: 'You don’t have to wait. Set a new password to log in straight away.',
    actions: [{ url: '/forgot-password/', text: 'Forgot Password' }],
  },
  /**
   * The message is shown only after the correct password. `call` contains the phone number and opening hours of
   * support.
   */
  blocked: (call: string) => `Your account is blocked. Please ${call}.`,
} satisfies Record<string, unknown>

export const loginSchema = v.object({
  /** The email address, in its Unicode or ASCII form. Text that is not an email address matches no account. */
  username: v.pipe(
    requiredText(),
    v.maxLength(emailMaxLength, loginMessages.wrong),
    v.transform((typed) => normaliseEmail(typed) ?? typed.toLowerCase()),
  ),
  password: v.pipe(requiredSecret(), v.maxLength(passwordMaxLength, loginMessages.wrong)),
})

export const login = endpoint({
  method: 'POST',
  path: '/api/account/login/',
  summary: 'Logs in with an email address and a password',
  body: loginSchema,
  output: accountSchema,
})

export const logout = endpoint({
  method: 'POST',
  path: '/api/account/logout/',
  summary: 'Ends this session',
  clearsBrowser: true,
  output: accountSchema,
})
