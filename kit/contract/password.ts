import * as v from 'valibot'
import { requiredSecret } from './schema.ts'

/** Spec 9: the least a password has. */
export const passwordMinLength = 6
/** Longer ones are refused: hashing them costs, and nobody types them. */
export const passwordMaxLength = 200

export const passwordMessages = {
  short: 'Your password must be at least 6 characters.',
  long: 'Your password can be up to 200 characters.',
  letter: 'Your password must have at least one letter.',
  personal: 'Your password can’t contain your name or email address.',
  common: 'This password is too easy to guess. Please choose another one.',
} as const

/** A new password as far as a browser can judge it alone, one message at a time; `short` is the form's own sentence for spec 5's minimum. */
export const newPassword = (short: string = passwordMessages.short, required?: string) =>
  v.config(
    v.pipe(
      requiredSecret(required),
      v.minLength(passwordMinLength, short),
      v.maxLength(passwordMaxLength, passwordMessages.long),
      v.regex(/\p{L}/u, passwordMessages.letter),
    ),
    { abortPipeEarly: true },
  )

/** True when a password contains one of the owner's names or their address; parts shorter than three letters are too common to count. */
export function isPersonal(password: string, owner: { email: string; names: readonly string[] }): boolean {
  const said = password.toLowerCase()
  const [local = ''] = owner.email.split('@')
  const parts = [owner.email, local, ...owner.names.flatMap((name) => [name, ...name.split(/\s+/)])]
  return parts.some((part) => part.length >= 3 && said.includes(part.toLowerCase()))
}
