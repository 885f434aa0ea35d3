import * as v from 'valibot'
import { passwordMaxLength } from '#kit/contract/password.ts'

export const passwordConfirmationMessages = {
  needed: 'Please enter your current password.',
  wrong: 'That is not your current password.',
} as const

/**
 * The field for the current password. The password is required when it was not entered recently in this session, and
 * otherwise empty or absent.
 */
export const passwordConfirmationField = () =>
  v.pipe(
    v.optional(v.string(passwordConfirmationMessages.needed), ''),
    v.maxLength(passwordMaxLength, passwordConfirmationMessages.wrong),
  )
