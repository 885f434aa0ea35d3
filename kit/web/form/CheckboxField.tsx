import type { ReactNode } from 'react'
import type { Form } from './form.ts'
import { FieldNote } from './FieldNote.tsx'
import * as s from './fields.module.css'

type Props<N extends string> = {
  form: Form<Record<N, boolean>>
  name: N
  label: ReactNode
  hint?: ReactNode
  optional?: boolean
}

export function CheckboxField<N extends string>({ form, name, label, hint, optional = false }: Props<N>) {
  const field = form.field(name)
  return (
    <div className={s.field}>
      <label className={s.tick}>
        <input
          {...field.control}
          aria-required={!optional}
          type="checkbox"
          checked={form.values[name]}
          onChange={(event) => form.set(name, event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      <FieldNote field={field} hint={hint} />
    </div>
  )
}
