import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError, errorsOf } from '#kit/contract/errors.ts'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import type { Form } from '#kit/web/form/form.ts'
import * as s from './account.module.css'

type Values = { password: string }

/** Whether a form has been asked for the current password; `watch` makes its calls and takes note of that. */
export type PasswordAgain = { isAsked: boolean; watch<T>(call: Promise<T>): Promise<T>; clear(): void }

export function usePasswordAgain(): PasswordAgain {
  const [isAsked, setAsked] = useState(false)
  return {
    isAsked,
    async watch(call) {
      try {
        return await call
      } catch (failure) {
        // Drawn before the form is told: what is said of the field has its place then.
        if (failure instanceof ApiError && errorsOf(failure)['password']) flushSync(() => setAsked(true))
        throw failure
      }
    },
    clear: () => setAsked(false),
  }
}

/** The field for it, once it is asked for. */
export function PasswordAgainField({
  form,
  again,
  email,
}: {
  form: Form<Values>
  again: PasswordAgain
  email: string
}) {
  if (!again.isAsked) return null
  return (
    <>
      {/* So that a password manager knows whose password it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <p className={s.why}>
        It’s more than a day since you entered your password on this device, so we ask for it before this change.
      </p>
      <PasswordField form={form} name="password" label="Current password" />
    </>
  )
}

/** The values as they are sent: without a password unless there is one. */
export const withoutEmptyPassword = <V extends Values>({
  password,
  ...values
}: V): Omit<V, 'password'> & Partial<Values> => (password ? { ...values, password } : values)
