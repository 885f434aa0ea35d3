import type { ReactNode } from 'react'
import type { Form, Name } from './use-form.ts'
import { FieldNote } from './FieldNote.tsx'
import s from './fields.module.css'

type Props<V extends object> = { form: Form<V>; name: Name<V>; label: ReactNode; hint?: ReactNode; optional?: boolean }

/** A box to tick; its value is a boolean. `optional`: the form can be sent without the tick. */
export function CheckboxField<V extends object>({ form, name, label, hint, optional = false }: Props<V>) {
  const field = form.field(name)
  return (
    <div className={s.field}>
      <label className={s.tick}>
        <input
          {...field.control}
          aria-required={!optional}
          type="checkbox"
          checked={Boolean(form.values[name])}
          onChange={(event) => form.set(name, event.currentTarget.checked as V[Name<V>])}
        />
        <span>{label}</span>
      </label>
      <FieldNote field={field} hint={hint} />
    </div>
  )
}
