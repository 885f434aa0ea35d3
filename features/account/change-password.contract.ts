import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { checkPasswordsMatch, newPasswordSchema, maxPasswordLength } from '#kit/contract/password.ts'
import { requiredSecret } from '#kit/contract/schema.ts'
import { passwordConfirmationMessages } from '#features/auth/password-confirmation.contract.ts'

export const changePasswordMessages = {
  old: 'Please confirm your current password.',
  wrong: passwordConfirmationMessages.wrong,
  mismatch: "The two password fields didn't match.",
  done: 'Thank you, we’ve changed your password.',
  help: 'At least 6 characters with at least one letter, and not containing your name or email address.',
} as const

export const changePasswordSchema = v.pipe(
  v.object({
    old_password: v.pipe(requiredSecret(changePasswordMessages.old), maxPasswordLength(changePasswordMessages.wrong)),
    new_password: newPasswordSchema(),
    password_confirm: requiredSecret(),
  }),
  v.rawCheck((form) => checkPasswordsMatch(form, 'new_password', 'password_confirm', changePasswordMessages.mismatch)),
)

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/account/change_password/',
  summary: 'Changes the password and ends every other session',
  body: changePasswordSchema,
  output: v.object({ message: v.string() }),
})
