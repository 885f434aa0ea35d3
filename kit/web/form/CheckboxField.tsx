import type { ReactNode } from 'react'
import type { Form, Name } from './use-form.ts'
import { FieldNote } from './FieldNote.tsx'
import s from './fields.module.css'

type Props<V extends object> = { form: Form<V>; name: Name<V>; label: ReactNode; hint?: ReactNode }

/** A box to tick; its value is a boolean. */
export function CheckboxField<V extends object>({ form, name, label, hint }: Props<V>) {
  const field = form.field(name)
  return (
    <div className={s.field}>
      <label className={s.tick}>
        <input
          {...field.control}
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
