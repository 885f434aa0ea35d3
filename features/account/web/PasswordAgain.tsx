import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError, errorsOf } from '#kit/contract/errors.ts'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import type { Form } from '#kit/web/form/form.ts'
import * as s from './account.module.css'

type Values = { password: string }

/**
 * Whether a form must ask for the current password. `watch` runs a request and notices when the server requires the
 * password.
 */
export type PasswordAgain = { isAsked: boolean; watch<T>(call: Promise<T>): Promise<T>; clear(): void }

export function usePasswordAgain(): PasswordAgain {
  const [isAsked, setAsked] = useState(false)
  return {
    isAsked,
    async watch(call) {
      try {
        return await call
      } catch (failure) {
        // Render the field before the form receives the error, so that the error has a place.
        if (failure instanceof ApiError && errorsOf(failure)['password']) flushSync(() => setAsked(true))
        throw failure
      }
    },
    clear: () => setAsked(false),
  }
}

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
      {/* Tells a password manager which account the password belongs to. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <p className={s.why}>
        You last entered your password on this device more than a day ago. Please enter it again to make this change.
      </p>
      <PasswordField form={form} name="password" label="Current password" />
    </>
  )
}

export const withoutEmptyPassword = <V extends Values>({
  password,
  ...values
}: V): Omit<V, 'password'> & Partial<Values> => (password ? { ...values, password } : values)
