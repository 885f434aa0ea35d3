import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError, toFormErrors } from '#kit/contract/errors.ts'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import type { Form } from '#kit/web/form/form.ts'
import * as s from './account.module.css'

type PasswordFormValues = { password: string }

/**
 * `isRequired` tells the form to ask for the current password. `track` awaits a request and sets `isRequired` if the
 * server rejects the request because the password is missing.
 */
export type PasswordConfirmation = { isRequired: boolean; track<T>(call: Promise<T>): Promise<T>; clear(): void }

export function usePasswordConfirmation(): PasswordConfirmation {
  const [isAsked, setRequired] = useState(false)
  return {
    isRequired: isAsked,
    async track(call) {
      try {
        return await call
      } catch (failure) {
        // Render the password field before the form handles the error, so that the form can show the error next to it.
        if (failure instanceof ApiError && toFormErrors(failure)['password']) flushSync(() => setRequired(true))
        throw failure
      }
    },
    clear: () => setRequired(false),
  }
}

export function PasswordConfirmationField({
  form,
  again,
  email,
}: {
  form: Form<PasswordFormValues>
  again: PasswordConfirmation
  email: string
}) {
  if (!again.isRequired) return null
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

export const omitEmptyPassword = <V extends PasswordFormValues>({
  password,
  ...values
}: V): Omit<V, 'password'> & Partial<PasswordFormValues> => (password ? { ...values, password } : values)
