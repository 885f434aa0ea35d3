import { dictionary } from '@zxcvbn-ts/language-common'
import * as v from 'valibot'
import {
  containsPersonalDetails,
  newPasswordSchema,
  passwordMessages,
  type PasswordOwner,
} from '../contract/password.ts'

// The library's list of common passwords is in lower case, with the most common first.
const commonPasswords = new Set(dictionary.passwords.slice(0, 10_000))
const basicPasswordSchema = newPasswordSchema()

export function findPasswordFault(password: string, owner: PasswordOwner): string | null {
  const { issues } = v.safeParse(basicPasswordSchema, password)
  if (issues) return issues[0].message
  if (containsPersonalDetails(password, owner)) return passwordMessages.personal
  return commonPasswords.has(password.toLowerCase()) ? passwordMessages.common : null
}
