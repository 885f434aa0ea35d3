import * as v from 'valibot'
import { emailMaxLength, storedEmail } from './email.ts'
import { formMessages } from './errors.ts'

/**
 * A line of text that has to be there, trimmed. An absent field counts as an empty one, so that it reads the same
 * sentence, and a rule that looks at several fields still runs.
 */
export const requiredText = (message: string = formMessages.required) =>
  v.pipe(v.optional(v.string(message), ''), v.trim(), v.nonEmpty(message))

/** A line of text that may be empty or absent, trimmed; the message is for what is no text at all. */
export const optionalText = (message?: string) => v.pipe(v.optional(v.string(message), ''), v.trim())

/** A secret that has to be there, as it was typed: a space at its end is part of it. */
export const requiredSecret = (message: string = formMessages.required) =>
  v.pipe(v.optional(v.string(message), ''), v.nonEmpty(message))

const emailMessage = 'Please enter a valid email address.'

/** An e-mail address that has to be there, in the form in which it is kept. It gets one message at a time. */
export const requiredEmail = () =>
  v.config(
    v.pipe(
      requiredText(),
      v.maxLength(emailMaxLength, emailMessage),
      v.check((typed) => storedEmail(typed) !== null, emailMessage),
      v.transform((typed) => storedEmail(typed) ?? typed),
    ),
    { abortPipeEarly: true },
  )

/** What a rule over a whole form says of one of its fields: for `addIssue` of a `v.rawCheck` or `v.rawTransform`. */
export function issueOf<F extends object>(
  form: F,
  key: Extract<keyof F, string>,
  message: string,
): { message: string; path: [v.ObjectPathItem] } {
  return {
    message,
    path: [{ type: 'object', origin: 'value', input: form as Record<string, unknown>, key, value: form[key] }],
  }
}

/** Money in an answer: a decimal string with two decimals, such as `'39.90'`. */
export const wireMoney = () => v.pipe(v.string(), v.regex(/^-?\d+\.\d{2}$/))
