import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { countCharacters } from '#kit/contract/clean-text.ts'
import { firstNameMaxLength, lastNameMaxLength, validNameCharacters, splitFullName } from '#kit/contract/names.ts'
import { newPasswordSchema } from '#kit/contract/password.ts'
import { requiredNewEmail } from '#kit/contract/new-email.ts'
import { maxCharacters, requiredText } from '#kit/contract/schema.ts'
import { activationSchema } from './activation.contract.ts'

export const signupMessages = {
  fullName: 'Please provide your full name.',
  firstNameLong: 'Your first name can be up to 30 characters.',
  lastNameLong: 'Your last name can be up to 150 characters.',
  password: 'Your password must be at least 6 characters.',
} as const

const fullNameMaxLength = firstNameMaxLength + lastNameMaxLength + 20

export const signupStepSchema = v.object({
  full_name: v.pipe(
    requiredText(),
    v.regex(/\S\s+\S/, signupMessages.fullName),
    maxCharacters(fullNameMaxLength, signupMessages.lastNameLong),
    v.check(
      (name) => countCharacters(splitFullName(name).first_name) <= firstNameMaxLength,
      signupMessages.firstNameLong,
    ),
    v.check((name) => countCharacters(splitFullName(name).last_name) <= lastNameMaxLength, signupMessages.lastNameLong),
    validNameCharacters(signupMessages.fullName),
  ),
  email: requiredNewEmail(),
  password: newPasswordSchema(signupMessages.password),
  marketing_consent: v.optional(v.boolean(), false),
})

export const submitSignup = endpoint({
  method: 'POST',
  path: '/api/activate/signup/',
  summary: 'Saves the name, email address and password for the new account',
  body: signupStepSchema,
  output: activationSchema,
})
