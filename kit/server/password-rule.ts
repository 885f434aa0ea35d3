import { dictionary } from '@zxcvbn-ts/language-common'
import * as v from 'valibot'
import { isPersonal, newPassword, passwordMessages, type PasswordOwner } from '../contract/password.ts'

// The list is in lower case, with the commonest passwords first.
const common = new Set(dictionary.passwords.slice(0, 10_000))
const basic = newPassword()

export function passwordFault(password: string, owner: PasswordOwner): string | null {
  const { issues } = v.safeParse(basic, password)
  if (issues) return issues[0].message
  if (isPersonal(password, owner)) return passwordMessages.personal
  return common.has(password.toLowerCase()) ? passwordMessages.common : null
}
