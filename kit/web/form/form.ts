import type { FocusEvent, FormEvent, PointerEvent, RefObject } from 'react'
import type { GenericSchema } from 'valibot'
import type { ErrorEntry, FieldErrors } from '#kit/contract/errors.ts'
import type { FormStatus } from './form-state.ts'

export type FieldName<V> = keyof V & string

export type FormOptions<V extends object, Answer = unknown> = {
  schema: GenericSchema
  initial: V
  /**
   * Sends the form's values, converted if necessary. To fail with field errors of its own, the function throws an `ApiError` with status
   * 400.
   */
  submit: (values: V) => Promise<Answer>
  /** Called after success. The form's status stays `submitting` until this function has also finished. */
  onSuccess?: (answer: Answer) => void | Promise<void>
  successMessage?: string
  /** Stores typed values in sessionStorage under this name, so that a reload loses nothing. Passwords and cards are never stored. */
  draftKey?: string
  draftOmit?: FieldName<V>[]
  onceOnly?: FieldName<V>[]
}

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
  toast: string | null
  canSubmit: boolean
  hydrated: boolean
  isDirty(name: FieldName<V>): boolean
  set<K extends FieldName<V>>(name: K, value: V[K]): void
  setMany(change: Partial<V>): void
  field(name: FieldName<V>): FieldProps
  setErrors(errors: FieldErrors): void
  clearErrors(name?: FieldName<V>): void
  reset(): void
  resetFields(names: FieldName<V>[]): void
  submit(): Promise<void>
  props: {
    ref: RefObject<HTMLFormElement | null>
    method: 'post'
    noValidate: true
    'aria-describedby': string | undefined
    onSubmit: (event: FormEvent) => void
    onClick: () => void
    onPointerDown: (event: PointerEvent) => void
  }
}
