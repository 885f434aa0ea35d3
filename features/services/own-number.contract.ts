import * as v from 'valibot'
import { formMessages } from '#kit/contract/errors.ts'
import { endpoint } from '#kit/contract/endpoint.ts'
import { cleanText } from '#kit/contract/clean-text.ts'
import { validNameCharacters } from '#kit/contract/names.ts'
import { maxPasswordLength } from '#kit/contract/password.ts'
import { maxCharacters, requiredSecret } from '#kit/contract/schema.ts'
import { passwordConfirmationMessages } from '#features/auth/password-confirmation.contract.ts'

export const numberNameMaxLength = 30

export const ownNumberMessages = {
  long: `Please use ${numberNameMaxLength} characters or fewer.`,
  characters: 'Please use letters, numbers and visible symbols only.',
  saved: 'Saved.',
  pukUnavailable: 'The network isn’t responding, so we can’t show the PUK. Please try again in a moment.',
  noPuk: 'We don’t have the PUK for this SIM. Look for it on the card your SIM came in, or call us.',
} as const

const serviceParams = v.object({ uuid: v.pipe(v.string(), v.maxLength(100)) })

export const numberNameSchema = v.object({
  name: v.pipe(
    v.string(formMessages.unreadable),
    maxCharacters(200, ownNumberMessages.long),
    v.transform(cleanText),
    v.trim(),
    maxCharacters(numberNameMaxLength, ownNumberMessages.long),
    validNameCharacters(ownNumberMessages.characters),
  ),
})

export const saveNumberName = endpoint({
  method: 'PUT',
  path: '/api/services/name/:uuid/',
  summary: 'Saves the customer’s name for a number; an empty name removes it',
  params: serviceParams,
  body: numberNameSchema,
  output: v.object({ name: v.nullable(v.string()) }),
})

export const pukSchema = v.object({
  password: v.pipe(
    requiredSecret(passwordConfirmationMessages.needed),
    maxPasswordLength(passwordConfirmationMessages.wrong),
  ),
})

export const showPuk = endpoint({
  method: 'POST',
  path: '/api/services/puk/:uuid/',
  summary: 'Checks the password and shows the PUK of a number’s SIM',
  params: serviceParams,
  body: pukSchema,
  output: v.object({ puk: v.string() }),
})

export const getCalendarFilePath = (uuid: string): string => `/documents/${uuid}/last-day.ics`
