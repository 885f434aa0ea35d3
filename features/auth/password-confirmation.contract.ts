import * as v from 'valibot'
import { maxPasswordLength } from '#kit/contract/password.ts'

export const passwordConfirmationMessages = {
  needed: 'Please enter your current password.',
  wrong: 'That is not your current password.',
} as const

/**
 * Form field for the current password. Required if the password has not been entered recently in this session;
 * otherwise it can be empty or missing.
 */
export const passwordConfirmationField = () =>
  v.pipe(
    v.optional(v.string(passwordConfirmationMessages.needed), ''),
    maxPasswordLength(passwordConfirmationMessages.wrong),
  )
