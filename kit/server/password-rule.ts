import { dictionary } from '@zxcvbn-ts/language-common'
import * as v from 'valibot'
import { isPersonal, newPassword, passwordMessages, type PasswordOwner } from '../contract/password.ts'

// In the list's own order, the commonest first, all in lower case.
const common = new Set(dictionary.passwords.slice(0, 10_000))
const basic = newPassword()

/** What is wrong with a new password of this owner's, in one sentence, or null. What a browser can judge by itself comes first. */
export function passwordFault(password: string, owner: PasswordOwner): string | null {
  const { issues } = v.safeParse(basic, password)
  if (issues) return issues[0].message
  if (isPersonal(password, owner)) return passwordMessages.personal
  return common.has(password.toLowerCase()) ? passwordMessages.common : null
}
