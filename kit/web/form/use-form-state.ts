import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { toastDurationMs } from '../toast-time.ts'
import { isOnForm } from './form-elements.ts'
import { assignErrorsToFields, createInitialFormState, type FormState } from './form-state.ts'

export type FormStore<V extends object> = {
  /**
   * Returns the latest state, even before it has been rendered. Handlers for the same event therefore see each other's changes: set()
   * followed by submit() sends the new value.
   */
  now: () => FormState<V>
  apply: (change: (now: FormState<V>) => FormState<V>) => FormState<V>
  place: (errors: FieldErrors) => FieldErrors
}

export function useFormState<V extends object>(
  form: RefObject<HTMLFormElement | null>,
  initial: V,
): [FormState<V>, FormStore<V>] {
  const [state, setState] = useState(() => createInitialFormState(initial))
  const latestState = useRef(state)
  const now = () => latestState.current
  function apply(change: (now: FormState<V>) => FormState<V>): FormState<V> {
    setState((latestState.current = change(now())))
    return now()
  }

  const hideToast = useEffectEvent(() => apply((last) => ({ ...last, toast: null })))
  useEffect(() => {
    if (state.toast === null) return
    const timer = setTimeout(() => hideToast(), toastDurationMs)
    return () => clearTimeout(timer)
  }, [state.toast])

  const place = (errors: FieldErrors) => assignErrorsToFields(errors, (name) => isOnForm(form.current, name))
  return [state, { now, apply, place }]
}
