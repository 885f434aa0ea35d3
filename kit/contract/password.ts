import * as v from 'valibot'
import { countCharacters } from './clean-text.ts'
import { createFieldIssue, maxCharacters, requiredSecret } from './schema.ts'

/** Minimum length of a password in characters (specification, section 9). */
const passwordMinLength = 6
/** Maximum length of a password. Longer passwords are expensive to hash, and nobody types them. */
export const passwordMaxLength = 200

export const passwordMessages = {
  short: 'Your password must be at least 6 characters.',
  long: 'Your password can be up to 200 characters.',
  letter: 'Your password must have at least one letter.',
  personal: 'Your password can’t contain your name or email address.',
  common: 'This password is too easy to guess. Please choose another one.',
} as const

/**
 * Normalises a password, so that it is the same whether a device types `ā` as one code point or as two (NIST SP 800-63B). Nothing is
 * removed from a password.
 */
export const normalisePassword = (password: string): string => password.normalize('NFKC')

/** Limits a password that was set earlier, in the form in which its length counted then. */
export const maxPasswordLength = (message: string) => maxCharacters(passwordMaxLength, message, normalisePassword)

/**
 * Builds the validation schema for a new password. `short` is the form's own message for a password that is too short (specification,
 * section 5).
 */
export const newPasswordSchema = (short: string = passwordMessages.short, required?: string) =>
  v.config(
    v.pipe(
      requiredSecret(required),
      v.transform(normalisePassword),
      // The minimum length is in characters rather than UTF-16 code units: three emoji do not count as six characters.
      v.check((password) => countCharacters(password) >= passwordMinLength, short),
      maxCharacters(passwordMaxLength, passwordMessages.long),
      v.regex(/\p{L}/u, passwordMessages.letter),
    ),
    { abortPipeEarly: true },
  )

/**
 * Checks that a new password was typed the same way twice. The check runs even if other fields are invalid, so that all errors are reported
 * together.
 */
export function checkPasswordsMatch<Form extends object>(
  { dataset, addIssue }: v.RawCheckContext<Form>,
  password: Extract<keyof Form, string>,
  confirm: Extract<keyof Form, string>,
  message: string,
): void {
  const form = dataset.value as Form
  const [first, second]: unknown[] = [form[password], form[confirm]]
  if (typeof first === 'string' && typeof second === 'string' && normalisePassword(first) !== normalisePassword(second))
    addIssue(createFieldIssue(form, confirm, message))
}

export type PasswordOwner = { email: string; names: readonly string[] }

/** Whether a password contains part of its owner's name or email address. Parts shorter than three characters are too common to count. */
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

/** Strips macrons and accents from text and converts it to lower case, because a name is just as easy to guess without them. */
const stripAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
