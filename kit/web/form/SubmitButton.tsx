import type { ReactNode } from 'react'
import { Button } from '../widgets/Button.tsx'
import { Icon } from '../widgets/Icon.tsx'
import type { Form } from './form.ts'
import * as s from './actions.module.css'

type Props<V extends object> = {
  form: Form<V>
  children: ReactNode
  pendingText?: string
  disabled?: boolean
  wide?: boolean
  kind?: 'primary' | 'quiet'
}

/**
 * A button that submits its form. It is disabled until the page's script is running. Keep it as the form's first submit button, so that
 * being disabled also stops Enter from submitting natively. After a success, it briefly shows the form's message.
 */
export function SubmitButton<V extends object>({
  form,
  children,
  pendingText,
  disabled = false,
  wide = false,
  kind = 'primary',
}: Props<V>) {
  const isSubmitting = form.status === 'submitting'
  const isWaiting = !disabled && (isSubmitting || !form.hydrated)
  return (
    <span className={`${s.holder} ${wide ? s.fill : ''}`}>
      <Button
        type="submit"
        kind={kind}
        wide={wide}
        disabled={disabled || !form.canSubmit}
        aria-busy={isSubmitting || undefined}
        className={isWaiting ? s.waiting : ''}
      >
        {isSubmitting && (
          <span className={s.dots} aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
        )}
        {isSubmitting && pendingText ? pendingText : children}
      </Button>
      <span className={s.toast} role="status">
        {form.toast && (
          <>
            <Icon name="check" />
            <span>{form.toast}</span>
          </>
        )}
      </span>
    </span>
  )
}
