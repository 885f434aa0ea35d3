import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { toastTime } from '../toast-time.ts'
import { isOnForm } from './form-elements.ts'
import { placed, startOf, type FormState } from './form-state.ts'

/** Where a form's state is changed. */
export type FormStore<V extends object> = {
  /** Ahead of what is drawn: handlers of one event see each other's changes, so set() then submit() sends what was set. */
  now: () => FormState<V>
  /** Makes of what is now what comes next, and answers with that. */
  apply: (change: (now: FormState<V>) => FormState<V>) => FormState<V>
  /** Errors by where they show. */
  place: (errors: FieldErrors) => FieldErrors
}

/** A form's state as it is drawn, and where to change it. Its success message goes by itself. */
export function useFormState<V extends object>(
  form: RefObject<HTMLFormElement | null>,
  initial: V,
): [FormState<V>, FormStore<V>] {
  const [state, setState] = useState(() => startOf(initial))
  const latest = useRef(state)
  const now = () => latest.current
  function apply(change: (now: FormState<V>) => FormState<V>): FormState<V> {
    setState((latest.current = change(now())))
    return now()
  }

  const endToast = useEffectEvent(() => apply((last) => ({ ...last, toast: null })))
  useEffect(() => {
    if (state.toast === null) return
    const timer = setTimeout(() => endToast(), toastTime)
    return () => clearTimeout(timer)
  }, [state.toast])

  const place = (errors: FieldErrors) => placed(errors, (name) => isOnForm(form.current, name))
  return [state, { now, apply, place }]
}
