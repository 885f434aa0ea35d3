import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { passwordMaxLength } from '#kit/contract/password.ts'
import { requiredSecret } from '#kit/contract/schema.ts'
import { passwordAgainMessages } from '#features/auth/password-again.contract.ts'

export const privacyMessages = {
  format: 'Please choose one of these.',
  downloading: 'Your download has started.',
} as const

/** The current password, asked for each time: a session that was left open is not enough for this. */
export const ownPassword = () =>
  v.pipe(requiredSecret(passwordAgainMessages.needed), v.maxLength(passwordMaxLength, passwordAgainMessages.wrong))

/** As what a person reads, or as what a program does. */
export const dataFormats = ['html', 'json'] as const
export type DataFormat = (typeof dataFormats)[number]

export const askForDataSchema = v.object({
  password: ownPassword(),
  format: v.optional(v.picklist(dataFormats, privacyMessages.format), 'html'),
})

export const askForData = endpoint({
  method: 'POST',
  path: '/api/account/privacy/data/',
  summary: 'Checks the password, and answers where all that is kept of the customer can be downloaded for two minutes',
  body: askForDataSchema,
  output: v.object({ url: v.string() }),
})
