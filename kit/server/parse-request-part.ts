import * as v from 'valibot'
import { type FieldErrors, formMessages } from '../contract/errors.ts'

type ParsedRequestPart<Value> = {
  /** The parsed value. It is valid only if `errors` is empty. */
  value: Value
  errors: FieldErrors
  right: Partial<Value>
}

/** Parses a request's query or body. A missing part counts as empty. Without a schema, nothing is parsed and the value is undefined. */
export function parseRequestPart<S extends v.GenericSchema>(
  schema: S | undefined,
  sent: unknown,
): ParsedRequestPart<v.InferOutput<S>> {
  // The validation library's messages repeat the input, so rules that have no message in the contract get our own.
  const { issues, output } = v.safeParse(schema ?? undefinedSchema, sent ?? {}, { message: formMessages.unreadable })
  const errors = fieldErrors(issues ?? [])
  const hasNoError = ([field]: [string, unknown]): boolean => !Object.hasOwn(errors, field)
  const validEntries = Object.entries(typeof output === 'object' && output !== null ? output : {}).filter(hasNoError)
  for (const [field, value] of validEntries)
    if (!isStorable(value)) errors[field] = ['Please remove the characters that can’t be read.']
  return {
    value: output as v.InferOutput<S>,
    errors,
    right: Object.fromEntries(validEntries.filter(hasNoError)) as Partial<v.InferOutput<S>>,
  }
}

const undefinedSchema = v.pipe(
  v.unknown(),
  v.transform(() => undefined),
)

/**
 * Whether PostgreSQL can store a value. It cannot store NUL or unpaired surrogates. No keyboard produces them, so the forms' rules don't
 * mention them.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
  return true
}

export function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of issues) {
    const field = issue.path ? String(issue.path[0].key) : '__all__'
    const entries = (errors[field] ??= [])
    if (!entries.includes(issue.message)) entries.push(issue.message)
  }
  return errors
}
