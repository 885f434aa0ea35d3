import * as v from 'valibot'
import { passwordMaxLength } from '#kit/contract/password.ts'

export const passwordConfirmationMessages = {
  needed: 'Please enter your current password.',
  wrong: 'That is not your current password.',
} as const

/** The current password. Required when this session has not confirmed it recently; empty or absent otherwise. */
export const passwordConfirmationField = () =>
  v.pipe(
    v.optional(v.string(passwordConfirmationMessages.needed), ''),
    v.maxLength(passwordMaxLength, passwordConfirmationMessages.wrong),
  )
