import * as v from 'valibot'

/** Of the parts of a name. */
export const firstNameMaxLength = 30
export const lastNameMaxLength = 150

/**
 * What no name has: controls and private characters, what ends a line, turns its direction or cannot be seen. A name stands
 * in the greeting of a mail. The joiner and the non-joiner are part of how some scripts are written, but only after a letter.
 */
const notOfNames =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]|(?<![\p{L}\p{M}])[\u200c\u200d]|[\u115f\u1160\u2800\u3164\uffa0]/u

/** The rule for every name that a customer gives themselves; the sentence is the form's own. */
export const nameCharacters = (message: string) => v.check((name: string) => !notOfNames.test(name), message)

/** A full name as the product keeps it: the first word, then the rest. */
export function namesOf(fullName: string): { first_name: string; last_name: string } {
  const [first = '', ...rest] = fullName.trim().split(/\s+/)
  return { first_name: first, last_name: rest.join(' ') }
}
