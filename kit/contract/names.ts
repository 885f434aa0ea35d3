import * as v from 'valibot'

export const firstNameMaxLength = 30
export const lastNameMaxLength = 150

/**
 * Characters that are not allowed in names: control and private-use characters, line breaks, direction marks and invisible characters. They
 * would otherwise end up in emails, which greet customers by name. The joiners that `cleanText` keeps are allowed.
 */
const forbiddenNameCharacters = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]|[\u115f\u1160\u2800\u3164\uffa0]/u

export const validNameCharacters = (message: string) =>
  v.check((name: string) => !forbiddenNameCharacters.test(name), message)

export function splitFullName(fullName: string): { first_name: string; last_name: string } {
  const [first = '', ...rest] = fullName.trim().split(/\s+/)
  return { first_name: first, last_name: rest.join(' ') }
}
