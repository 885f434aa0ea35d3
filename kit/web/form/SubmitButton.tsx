import type { ReactNode } from 'react'
import { Button } from '../widgets/Button.tsx'
import { Icon } from '../widgets/Icon.tsx'
import type { Form } from './form.ts'
import * as s from './actions.module.css'

type Props<V extends object> = {
  form: Form<V>
  children: ReactNode
  /** What the button says while the answer is awaited. */
  pendingText?: string
  /** For a rule of the page: a box that must be ticked first. */
  disabled?: boolean
  wide?: boolean
  /** For a page whose first choice is another button. */
  kind?: 'primary' | 'quiet'
}

/**
 * Sends its form. It is disabled until the page is alive, which also keeps Enter from submitting natively: keep it the
 * first submit button of its form. After success the form's message shows above it for a moment.
 */
export function SubmitButton<V extends object>({
  form,
  children,
  pendingText,
  disabled = false,
  wide = false,
  kind = 'primary',
}: Props<V>) {
  const pending = form.status === 'submitting'
  // Grey says "something is missing"; a page still coming to life and an answer still on its way look otherwise.
  const waiting = !disabled && (pending || !form.hydrated)
  return (
    <span className={`${s.holder} ${wide ? s.fill : ''}`}>
      <Button
        type="submit"
        kind={kind}
        wide={wide}
        disabled={disabled || !form.canSubmit}
        aria-busy={pending || undefined}
        className={waiting ? s.waiting : ''}
      >
        {pending && (
          <span className={s.dots} aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
        )}
        {pending && pendingText ? pendingText : children}
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
