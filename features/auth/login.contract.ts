import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { emailMaxLength, normaliseEmail } from '#kit/contract/email.ts'
import { requiredCode, requiredSecret } from '#kit/contract/schema.ts'
import { maxPasswordLength } from '#kit/contract/password.ts'
import { accountSchema } from './auth.contract.ts'

export const loginMessages = {
  /**
   * An unknown email address and a wrong password get the same message, so that the response does not reveal which addresses have an
   * account.
   */
  wrong: 'Please enter a correct email address and password.',
  locked: {
    message: 'If you don’t want to wait, set a new password to log in straight away.',
    actions: [{ url: '/forgot-password/', text: 'Forgot Password' }],
  },
  /**
   * This message is only shown after the correct password has been entered. `call` says how to reach support: the phone number and opening
   * hours.
   */
  blocked: (call: string) => `Your account is blocked. Please ${call}.`,
} satisfies Record<string, unknown>

export const loginSchema = v.object({
  /**
   * Accepts an email address in Unicode or ASCII form. Input that is not an email address simply matches no account.
   */
  username: v.pipe(
    requiredCode(),
    v.maxLength(emailMaxLength, loginMessages.wrong),
    v.transform((typed) => normaliseEmail(typed) ?? typed.toLowerCase()),
  ),
  password: v.pipe(requiredSecret(), maxPasswordLength(loginMessages.wrong)),
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
