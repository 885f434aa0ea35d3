import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { FocusEvent, FormEvent, PointerEvent, RefObject } from 'react'
import type { GenericSchema } from 'valibot'
import { ApiError, errorsOf, type ErrorEntry, type FieldErrors } from '#kit/contract/errors.ts'
import { toastTime } from '../toast-time.ts'
import { clearDraft, readDraft, writeDraft } from './drafts.ts'
import { focusFirstBad, isOnForm, typedInto } from './form-elements.ts'
import {
  changed,
  cleared,
  errorsIn,
  failed,
  isBlocked,
  issuesOf,
  left,
  placed,
  startOf,
  submitted,
  succeeded,
  type FormState,
  type FormStatus,
} from './form-state.ts'

export type Name<V> = Extract<keyof V, string>

export type FormOptions<V extends object, Sent> = {
  /** The schema the server runs, over the values as typed. */
  schema: GenericSchema
  initial: V
  /** What is sent, when it is not the values as typed. To fail with errors of its own it throws an `ApiError` of 400. */
  transform?: (values: V) => Sent | Promise<Sent>
  submit: (sent: Sent) => Promise<unknown>
  /** The form counts as submitting until this is done too. */
  onSuccess?: (answer: unknown) => void | Promise<void>
  successMessage?: string
  /** Keeps what is typed in sessionStorage under this name, so that a reload loses nothing; never passwords or cards. */
  draftKey?: string
  draftOmit?: Name<V>[]
  /** Good for one call: success empties them. */
  onceOnly?: Name<V>[]
}

/** What a control needs to be this field; `control` goes onto the element itself. */
export type FieldProps = {
  id: string
  noteId: string
  errors: ErrorEntry[]
  control: {
    id: string
    name: string
    'aria-describedby': string
    'aria-invalid': true | undefined
    'aria-required': true
    onBlur: (event: FocusEvent<HTMLElement>) => void
  }
}

export type Form<V extends object> = {
  id: string
  values: V
  errors: FieldErrors
  dirty: boolean
  status: FormStatus
  /** The success message while it shows, else null. */
  toast: string | null
  canSubmit: boolean
  /** False in the server's markup and until the script has taken over. */
  hydrated: boolean
  isDirty(name: Name<V>): boolean
  set<K extends Name<V>>(name: K, value: V[K]): void
  setMany(change: Partial<V>): void
  field(name: Name<V>): FieldProps
  setErrors(errors: FieldErrors): void
  clearErrors(name?: Name<V>): void
  reset(): void
  resetFields(names: Name<V>[]): void
  submit(): Promise<void>
  /** For the `<form>` element. */
  props: {
    ref: RefObject<HTMLFormElement | null>
    method: 'post'
    noValidate: true
    'aria-describedby': string | undefined
    onSubmit: (event: FormEvent) => void
    onPointerDown: (event: PointerEvent) => void
  }
}

/**
 * The lifecycle of a form (spec 4 and 5): a field is checked when it is left, its errors go when it changes, submission
 * checks everything and goes to the first bad field, and nothing is sent while errors stand or an answer is awaited.
 */
export function useForm<V extends object, Sent = V>(options: FormOptions<V, Sent>): Form<V> {
  const { schema, initial, draftKey, draftOmit = [], onceOnly = [] } = options
  const id = useId()
  const ref = useRef<HTMLFormElement>(null)
  const [state, setState] = useState(() => startOf(initial))
  const [hydrated, setHydrated] = useState(false)
  const [focusWanted, setFocusWanted] = useState(0)
  // Handlers of one event see each other's changes: set() then submit() sends what was set.
  const latest = useRef(state)
  // A field left by pressing the submit button waits for the submission, which checks all of them.
  const pressed = useRef(false)
  const apply = (next: FormState<V>) => setState((latest.current = next))

  const takeOver = useEffectEvent(() => {
    const typed = ref.current ? typedInto(ref.current, initial) : {}
    const change = { ...(draftKey && readDraft(draftKey, initial, draftOmit)), ...typed } as Partial<V>
    if (Object.keys(change).length > 0) setMany(change)
    setHydrated(true)
  })
  // Before React renders again, which would write its own values into the elements.
  useLayoutEffect(() => takeOver(), [])

  const saveValues = useEffectEvent((values: V) => {
    if (draftKey && state.dirty.length > 0) writeDraft(draftKey, values, draftOmit)
  })
  useEffect(() => saveValues(state.values), [state.values])

  const endToast = useEffectEvent(() => apply({ ...latest.current, toast: null }))
  useEffect(() => {
    if (state.toast === null) return
    const timer = setTimeout(() => endToast(), toastTime)
    return () => clearTimeout(timer)
  }, [state.toast])

  const errors = errorsIn(state)
  const focusBad = useEffectEvent(() => {
    if (ref.current) focusFirstBad(ref.current, errors)
  })
  useEffect(() => {
    if (focusWanted > 0) focusBad()
  }, [focusWanted])

  const isHere = (name: string) => isOnForm(ref.current, name)

  const initialOf = (names: Name<V>[]) =>
    Object.fromEntries(names.map((name) => [name, initial[name]])) as unknown as Partial<V>

  function setMany(change: Partial<V>) {
    apply(changed(latest.current, change, schema))
  }

  async function submit() {
    if (latest.current.status === 'submitting') return
    const next = submitted(latest.current, placed(issuesOf(schema, latest.current.values), isHere))
    apply(next)
    if (next.status === 'submitting') await send(next.values)
    setFocusWanted((count) => count + 1)
  }

  async function send(values: V) {
    try {
      const answer = await options.submit(
        options.transform ? await options.transform(values) : (values as unknown as Sent),
      )
      if (draftKey) clearDraft(draftKey)
      await options.onSuccess?.(answer)
      apply(succeeded(latest.current, options.successMessage ?? null, initialOf(onceOnly)))
    } catch (failure) {
      // The visitor reads the same sentence; error reports shall have ours.
      if (!(failure instanceof ApiError)) reportError(failure)
      apply(failed(latest.current, placed(errorsOf(failure), isHere), values))
    }
  }

  function field(name: Name<V>): FieldProps {
    const fieldId = `${id}${name}`
    const entries = errors[name] ?? []
    return {
      id: fieldId,
      noteId: `${fieldId}-note`,
      errors: entries,
      control: {
        id: fieldId,
        name,
        'aria-describedby': `${fieldId}-note`,
        'aria-invalid': entries.length > 0 || undefined,
        'aria-required': true,
        onBlur({ target, relatedTarget }) {
          if (!pressed.current) {
            apply(left(latest.current, name, schema))
            // Tab would lead to the button that this disables, and the focus into nowhere.
            if (isBlocked(latest.current) && relatedTarget?.matches('[type="submit"]')) target.focus()
          }
          pressed.current = false
        },
      },
    }
  }

  const canSubmit = hydrated && state.status !== 'submitting' && !isBlocked(state)
  return {
    id,
    values: state.values,
    errors,
    dirty: state.dirty.length > 0,
    status: state.status,
    toast: state.toast,
    canSubmit,
    hydrated,
    isDirty: (name) => state.dirty.includes(name),
    set: (name, value) => setMany({ [name]: value } as unknown as Partial<V>),
    setMany,
    field,
    setErrors: (given) => apply({ ...latest.current, answered: placed(given, isHere), standing: true }),
    clearErrors: (name) => apply(cleared(latest.current, name && [name])),
    reset() {
      if (draftKey) clearDraft(draftKey)
      apply(startOf(initial))
    },
    resetFields(names) {
      const next = changed(latest.current, initialOf(names), schema)
      apply({ ...next, dirty: next.dirty.filter((name) => !names.includes(name as Name<V>)) })
    },
    submit,
    props: {
      ref,
      method: 'post',
      noValidate: true,
      'aria-describedby': errors.__all__ ? `${id}errors` : undefined,
      onSubmit(event) {
        event.preventDefault()
        pressed.current = false
        if (canSubmit) void submit()
      },
      onPointerDown({ target }) {
        pressed.current = (target as Element).closest('[type="submit"]:not([disabled])') !== null
      },
    },
  }
}
