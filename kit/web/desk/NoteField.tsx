import type { ReactNode } from 'react'
import { FieldNote } from '../form/FieldNote.tsx'
import type { Form } from '../form/form.ts'
import * as fields from '../form/fields.module.css'
import * as s from './NoteField.module.css'

type Props<N extends string> = {
  form: Form<Record<N, string>>
  name: N
  label: ReactNode
  hint?: ReactNode
  maxLength: number
  rows?: number
  optional?: boolean
}

export function NoteField<N extends string>({
  form,
  name,
  label,
  hint,
  maxLength,
  rows = 3,
  optional = false,
}: Props<N>) {
  const field = form.field(name)
  return (
    <div className={fields.field}>
      <label htmlFor={field.id} className={fields.label}>
        {label}
      </label>
      <textarea
        {...field.control}
        aria-required={!optional}
        className={`${fields.input} ${s.note}`}
        rows={rows}
        maxLength={maxLength}
        autoComplete="off"
        value={form.values[name]}
        onChange={(event) => form.set(name, event.currentTarget.value)}
      />
      <FieldNote field={field} hint={hint} />
    </div>
  )
}
