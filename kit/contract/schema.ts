import * as v from 'valibot'
import { cleanCode, cleanText, countCharacters } from './clean-text.ts'
import { formMessages } from './errors.ts'

/**
 * Schema for required text that people read, such as a name. It is cleaned (`cleanText`) and trimmed. A missing field is treated as empty,
 * so that it gets the same message and rules that span several fields still run.
 */
export const requiredText = (message: string = formMessages.required) =>
  v.pipe(optionalText(message), v.nonEmpty(message))

export const optionalText = (message?: string) => cleanedText(cleanText, message)

/** Schema for a required phone number, email address or code. It is cleaned (`cleanCode`) and trimmed. */
export const requiredCode = (message: string = formMessages.required) =>
  v.pipe(optionalCode(message), v.nonEmpty(message))

export const optionalCode = (message?: string) => cleanedText(cleanCode, message)

const cleanedText = (clean: (text: string) => string, message?: string) =>
  v.pipe(v.optional(v.string(message), ''), v.transform(clean), v.trim())

/**
 * Limits a text to `most` code points, counted after `normalise`. `most` is also a property of the check, from which the server derives the
 * field's size limit.
 */
export const maxCharacters = (most: number, message: string, normalise = (text: string): string => text) =>
  Object.assign(
    v.check((text: string) => countCharacters(normalise(text)) <= most, message),
    { most },
  )

/** Schema for a required secret. It is kept exactly as typed, including leading and trailing spaces. */
export const requiredSecret = (message: string = formMessages.required) =>
  v.pipe(v.optional(v.string(message), ''), v.nonEmpty(message))

export function createFieldIssue<F extends object>(
  form: F,
  key: Extract<keyof F, string>,
  message: string,
): { message: string; path: [v.ObjectPathItem] } {
  return {
    message,
    path: [{ type: 'object', origin: 'value', input: form as Record<string, unknown>, key, value: form[key] }],
  }
}

export const decimalAmountSchema = () => v.pipe(v.string(), v.regex(/^-?\d+\.\d{2}$/))
