import type { ReactNode } from 'react'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { Button } from '#kit/web/widgets/Button.tsx'
import { isAutoRenewing, type RenewablePlan } from './renewable-plan.ts'
import * as s from './renewal.module.css'

type Props<V extends object> = {
  form: Form<V>
  plan: RenewablePlan
  disabled?: boolean
  children: ReactNode
}

export function RenewActions<V extends object>({ form, plan, disabled, children }: Props<V>) {
  return (
    <div className={s.actions}>
      <SubmitButton
        form={form}
        wide
        kind={isAutoRenewing(plan) ? 'quiet' : 'primary'}
        disabled={disabled}
        pendingText="RENEWING"
      >
        {children}
      </SubmitButton>
      <Button kind="plain" wide href={`/services/${plan.service.uuid}/`} onClick={form.reset}>
        Cancel
      </Button>
    </div>
  )
}
