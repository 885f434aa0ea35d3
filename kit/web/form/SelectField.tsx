import type { ReactNode } from 'react'
import { Icon } from '../widgets/Icon.tsx'
import type { Form } from './form.ts'
import { FieldNote } from './FieldNote.tsx'
import * as s from './fields.module.css'

type Props<N extends string> = {
  form: Form<Record<N, string>>
  name: N
  label: ReactNode
  options: { value: string; label: string }[]
  placeholder?: string
  hint?: ReactNode
  autoComplete?: string
  optional?: boolean
}

export function SelectField<N extends string>({
  form,
  name,
  label,
  options,
  placeholder,
  hint,
  autoComplete = 'off',
  optional = false,
}: Props<N>) {
  const field = form.field(name)
  return (
    <div className={s.field}>
      <label htmlFor={field.id} className={s.label}>
        {label}
      </label>
      <div className={s.box}>
        <select
          {...field.control}
          aria-required={!optional}
          className={`${s.input} ${s.roomy}`}
          autoComplete={autoComplete}
          value={form.values[name]}
          onChange={(event) => form.set(name, event.currentTarget.value)}
        >
          {placeholder && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <span className={`${s.trailing} ${s.inert}`}>
          <Icon name="chevron" />
        </span>
      </div>
      <FieldNote field={field} hint={hint} />
    </div>
  )
}
