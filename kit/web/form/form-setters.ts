import { clearDraft } from './drafts.ts'
import { applyChange, omitErrors, pickFields, createInitialFormState } from './form-state.ts'
import type { FormStore } from './use-form-state.ts'
import type { Form, FormOptions } from './form.ts'

type FormSetters<V extends object> = Pick<
  Form<V>,
  'set' | 'setMany' | 'setErrors' | 'clearErrors' | 'reset' | 'resetFields'
>

export function createFormSetters<V extends object>(
  { apply, place }: FormStore<V>,
  { schema, initial, draftKey }: Pick<FormOptions<V>, 'schema' | 'initial' | 'draftKey'>,
): FormSetters<V> {
  const setValues = (change: Partial<V>) => apply((now) => applyChange(now, change, schema))
  return {
    setMany: setValues,
    set(name, value) {
      const change: Partial<V> = {}
      change[name] = value
      setValues(change)
    },
    setErrors: (errors) => apply((now) => ({ ...now, answered: place(errors), standing: true })),
    clearErrors: (name) => apply((now) => omitErrors(now, name && [name])),
    reset() {
      if (draftKey) clearDraft(draftKey)
      apply(() => createInitialFormState(initial))
    },
    resetFields(names) {
      const reset: readonly string[] = names
      setValues(pickFields(initial, names))
      apply((now) => ({ ...now, dirty: now.dirty.filter((name) => !reset.includes(name)) }))
    },
  }
}
