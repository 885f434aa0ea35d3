import * as v from 'valibot'
import { fieldIssue, requiredSecret } from './schema.ts'

/** Spec 9: minimum length of a password, in characters. */
const passwordMinLength = 6
/** Longer passwords are rejected: hashing them is expensive, and people do not type them. */
export const passwordMaxLength = 200

export const passwordMessages = {
  short: 'Your password must be at least 6 characters.',
  long: 'Your password can be up to 200 characters.',
  letter: 'Your password must have at least one letter.',
  personal: 'Your password can’t contain your name or email address.',
  common: 'This password is too easy to guess. Please choose another one.',
} as const

/** `short` is the form's own sentence for the minimum of spec 5. */
export const newPasswordSchema = (short: string = passwordMessages.short, required?: string) =>
  v.config(
    v.pipe(
      requiredSecret(required),
      // Characters are counted, not code units: three emoji are not six characters.
      v.check((password) => [...password].length >= passwordMinLength, short),
      v.maxLength(passwordMaxLength, passwordMessages.long),
      v.regex(/\p{L}/u, passwordMessages.letter),
    ),
    { abortPipeEarly: true },
  )

/**
 * The rule of a form in which a new password is typed twice. It runs even if other fields are invalid, so that all errors are reported at
 * once.
 */
export function checkPasswordsMatch<Form extends object>(
  { dataset, addIssue }: v.RawCheckContext<Form>,
  password: Extract<keyof Form, string>,
  confirm: Extract<keyof Form, string>,
  message: string,
): void {
  const form = dataset.value as Form
  const [first, second]: unknown[] = [form[password], form[confirm]]
  if (typeof first === 'string' && typeof second === 'string' && first !== second)
    addIssue(fieldIssue(form, confirm, message))
}

export type PasswordOwner = { email: string; names: readonly string[] }

/** Parts of a name or address shorter than three characters are too common to count. */
export function containsPersonalDetails(password: string, { email, names }: PasswordOwner): boolean {
  const normalisedPassword = stripAccents(password)
  const [local = ''] = email.split('@')
  const nameParts = names.flatMap((name) => stripAccents(name).split(/\s+/)).filter(Boolean)
  const forbiddenParts = [
    stripAccents(email),
    stripAccents(local),
    ...nameParts,
    nameParts.join(''),
    nameParts.join(' '),
  ]
  return forbiddenParts.some((part) => [...part].length >= 3 && normalisedPassword.includes(part))
}

/** Removes case, macrons and accents, because a name is as easy to guess without them. */
const stripAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
