import { safeParse, type GenericSchema } from 'valibot'
import type { ErrorEntry, FieldErrors } from '#kit/contract/errors.ts'

export type FormStatus = 'idle' | 'submitting' | 'success' | 'failure'

export type FormState<V extends object> = {
  values: V
  dirty: readonly string[]
  status: FormStatus
  /** Errors found by the form's own schema, in fields that have lost focus, or in all fields after a submission. */
  found: FieldErrors
  /** Errors that the server found in the submitted values. */
  answered: FieldErrors
  /** True while no field has changed since the server's response. */
  standing: boolean
  toast: string | null
}

export const createInitialFormState = <V extends object>(values: V): FormState<V> => ({
  values,
  dirty: [],
  status: 'idle',
  found: {},
  answered: {},
  standing: false,
  toast: null,
})

export function pickFields<V extends object>(values: V, names: readonly (keyof V)[]): Partial<V> {
  const some: Partial<V> = {}
  for (const name of names) some[name] = values[name]
  return some
}

export function collectIssues(schema: GenericSchema, values: object): FieldErrors {
  const result = safeParse(schema, values)
  const errors: FieldErrors = {}
  for (const issue of result.issues ?? []) {
    const name = String(issue.path?.[0]?.key ?? '__all__')
    const entries = (errors[name] ??= [])
    const value = (values as Record<string, unknown>)[name]
    const hasMessage =
      entries.length > 0 && name !== '__all__' && (value === undefined || value === null || value === '')
    if (!hasMessage && !entries.includes(issue.message)) entries.push(issue.message)
  }
  return errors
}

export function applyChange<V extends object>(
  state: FormState<V>,
  change: Partial<V>,
  schema: GenericSchema,
): FormState<V> {
  const names = Object.keys(change)
  const values = { ...state.values, ...change }
  const otherErrors = omitFields(state.found, names)
  return {
    ...state,
    values,
    dirty: [...new Set([...state.dirty, ...names])],
    status: state.status === 'submitting' ? 'submitting' : 'idle',
    found:
      Object.keys(otherErrors).length > 0 ? intersectErrors(otherErrors, collectIssues(schema, values)) : otherErrors,
    answered: omitFields(state.answered, names),
    standing: false,
  }
}

export function applyBlur<V extends object>(state: FormState<V>, name: string, schema: GenericSchema): FormState<V> {
  const entries = collectIssues(schema, state.values)[name]
  const found = omitFields(state.found, [name])
  return { ...state, found: entries ? { ...found, [name]: entries } : found }
}

export const applySubmission = <V extends object>(state: FormState<V>, found: FieldErrors): FormState<V> => ({
  ...state,
  found,
  answered: {},
  standing: false,
  toast: null,
  status: hasEntries(found) ? 'failure' : 'submitting',
})

export const applySuccess = <V extends object>(
  state: FormState<V>,
  toast: string | null,
  change: Partial<V> = {},
): FormState<V> => ({ ...state, values: { ...state.values, ...change }, status: 'success', dirty: [], toast })

/** The server's errors refer to the submitted values, so errors in fields that have changed since then are dropped. */
export function applyFailure<V extends object>(state: FormState<V>, answered: FieldErrors, sent: V): FormState<V> {
  const editedFields = Object.entries(state.values).flatMap(([name, value]) =>
    value === sent[name as keyof V] ? [] : [name],
  )
  return {
    ...state,
    status: 'failure',
    answered: omitFields(answered, editedFields),
    standing: editedFields.length === 0,
  }
}

export const omitErrors = <V extends object>(state: FormState<V>, names?: readonly string[]): FormState<V> => ({
  ...state,
  found: names ? omitFields(state.found, names) : {},
  answered: names ? omitFields(state.answered, names) : {},
})

export function collectErrors(state: FormState<object>): FieldErrors {
  const errors: FieldErrors = {}
  for (const [name, entries] of [...Object.entries(state.found), ...Object.entries(state.answered)]) {
    const uniqueEntries = deduplicateEntries([...(errors[name] ?? []), ...entries])
    if (uniqueEntries.length > 0) errors[name] = uniqueEntries
  }
  return errors
}

/**
 * Whether errors prevent the form from being submitted. A form-level message does not, because the same values may be resubmitted if no
 * response arrived. A field error from the server stops counting after any change, because the cause may be in a different field (a wrong
 * SIM number is reported at the last four digits).
 */
export const hasBlockingErrors = (state: FormState<object>): boolean =>
  hasFieldErrors(state.found) || (state.standing && hasFieldErrors(state.answered))

export function assignErrorsToFields(errors: FieldErrors, isOnForm: (name: string) => boolean): FieldErrors {
  const result: FieldErrors = {}
  for (const [name, entries] of Object.entries(errors)) {
    const place = isOnForm(name) ? name : '__all__'
    result[place] = [...(result[place] ?? []), ...entries]
  }
  return result
}

function deduplicateEntries(entries: ErrorEntry[]): ErrorEntry[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
}

const hasEntries = (errors: FieldErrors) => Object.values(errors).some((entries) => entries.length > 0)
const hasFieldErrors = (errors: FieldErrors) => hasEntries(omitFields(errors, ['__all__']))

const omitFields = (errors: FieldErrors, names: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)))

function intersectErrors(shown: FieldErrors, now: FieldErrors): FieldErrors {
  const kept = Object.entries(shown).map(
    ([name, entries]) => [name, entries.filter((entry) => now[name]?.includes(entry))] as const,
  )
  return Object.fromEntries(kept.filter(([, entries]) => entries.length > 0))
}
