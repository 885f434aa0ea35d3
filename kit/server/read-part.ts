import * as v from 'valibot'
import { type FieldErrors, formMessages } from '../contract/errors.ts'

/** A part of a call as its schema reads it. */
type ReadPart<Value> = {
  /** As the schema has it; only where nothing is wrong. */
  value: Value
  /** The whole map; empty when nothing is wrong. */
  errors: FieldErrors
  /** The fields that nothing is wrong with, also where something is with others. */
  right: Partial<Value>
}

/** Reads the query or the body of a call; an absent one is an empty one. Without a schema nothing is read, and the value is undefined. */
export function readPart<S extends v.GenericSchema>(schema: S | undefined, sent: unknown): ReadPart<v.InferOutput<S>> {
  // The library's own words repeat what was sent: where a contract has none of its own, ours stand.
  const { issues, output } = v.safeParse(schema ?? nothing, sent ?? {}, { message: formMessages.unreadable })
  const errors = fieldErrors(issues ?? [])
  const isRight = ([field]: [string, unknown]): boolean => !Object.hasOwn(errors, field)
  const readable = Object.entries(typeof output === 'object' && output !== null ? output : {}).filter(isRight)
  for (const [field, value] of readable)
    if (!isStorable(value)) errors[field] = ['Please remove the characters that can’t be read.']
  return {
    value: output as v.InferOutput<S>,
    errors,
    right: Object.fromEntries(readable.filter(isRight)) as Partial<v.InferOutput<S>>,
  }
}

const nothing = v.pipe(
  v.unknown(),
  v.transform(() => undefined),
)

/** PostgreSQL keeps no NUL and no half of a surrogate pair. No keyboard makes either, so no rule of a form speaks of them. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
  return true
}

/** The whole map: every field's sentences, `__all__` for what belongs to none. */
export function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of issues) {
    const field = issue.path ? String(issue.path[0].key) : '__all__'
    const entries = (errors[field] ??= [])
    if (!entries.includes(issue.message)) entries.push(issue.message)
  }
  return errors
}
