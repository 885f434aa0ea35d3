import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { FocusEvent, RefObject } from 'react'
import type { GenericSchema, InferInput } from 'valibot'
import type { ErrorEntry, FieldErrors } from '#kit/contract/errors.ts'
import type { FieldProps, Form, FormOptions, FieldName } from './form.ts'
import { createFormSetters } from './form-setters.ts'
import { focusFirstError } from './form-elements.ts'
import { collectErrors, hasBlockingErrors, applyBlur } from './form-state.ts'
import { submitForm } from './submit-form.ts'
import { useFormState } from './use-form-state.ts'
import { useTypedValues } from './use-typed-values.ts'

/**
 * A form's lifecycle (specification, sections 4 and 5). A field is validated when it loses focus, and its errors disappear when it changes.
 * A submission validates everything and focuses the first invalid field. Nothing is sent while there are errors or a response is pending.
 */
export function useForm<V extends object, Answer = unknown, S extends GenericSchema = GenericSchema>(
  // The form must contain every field in the schema, because a missing field would be sent as if the customer had cleared it.
  options: FormOptions<V, Answer> & { schema: S; initial: Record<keyof InferInput<S>, unknown> },
): Form<V> {
  const id = useId()
  const ref = useRef<HTMLFormElement>(null)
  const [state, store] = useFormState(ref, options.initial)
  const setters = createFormSetters(store, options)
  const isHydrated = useTypedValues(ref, state, options, setters.setMany)
  const errors = collectErrors(state)
  const focusFirstInvalidField = useFocusFirstError(ref, errors)
  const canSubmit = isHydrated && state.status !== 'submitting' && !hasBlockingErrors(state)
  // If a field loses focus because the submit button is pressed, it is not validated separately: the submission validates all fields.
  const isPressingSubmit = useRef(false)

  function leave(name: FieldName<V>, { target, relatedTarget }: FocusEvent<HTMLElement>) {
    if (!isPressingSubmit.current) {
      const next = store.apply((now) => applyBlur(now, name, options.schema))
      // Tab would move the focus to the submit button, which this error disables, and the focus would be lost.
      if (hasBlockingErrors(next) && relatedTarget?.matches('[type="submit"]')) target.focus()
    }
    isPressingSubmit.current = false
  }

  async function submit() {
    if (store.now().status === 'submitting') return
    await submitForm(store, options)
    focusFirstInvalidField()
  }

  return {
    ...setters,
    id,
    values: state.values,
    errors,
    dirty: state.dirty.length > 0,
    status: state.status,
    toast: state.toast,
    canSubmit,
    hydrated: isHydrated,
    isDirty: (name) => state.dirty.includes(name),
    field: (name) => buildFieldProps(`${id}${name}`, name, errors[name] ?? [], (event) => leave(name, event)),
    submit,
    props: {
      ref,
      method: 'post',
      noValidate: true,
      'aria-describedby': errors.__all__ ? `${id}errors` : undefined,
      onSubmit(event) {
        event.preventDefault()
        if (canSubmit) void submit()
      },
      // The press is over, even if the form's own submit handler asks a question first.
      onClick: () => void (isPressingSubmit.current = false),
      onPointerDown({ target }) {
        isPressingSubmit.current = (target as Element).closest('[type="submit"]:not([disabled])') !== null
      },
    },
  }
}

const buildFieldProps = (
  id: string,
  name: string,
  errors: ErrorEntry[],
  onBlur: FieldProps['control']['onBlur'],
): FieldProps => ({
  id,
  noteId: `${id}-note`,
  errors,
  control: {
    id,
    name,
    'aria-describedby': `${id}-note`,
    'aria-invalid': errors.length > 0 || undefined,
    'aria-required': true,
    onBlur,
  },
})

function useFocusFirstError(form: RefObject<HTMLFormElement | null>, errors: FieldErrors): () => void {
  const [wanted, setWanted] = useState(0)
  const focusNow = useEffectEvent(() => {
    if (form.current) focusFirstError(form.current, errors)
  })
  useEffect(() => {
    if (wanted > 0) focusNow()
  }, [wanted])
  return () => setWanted((count) => count + 1)
}
