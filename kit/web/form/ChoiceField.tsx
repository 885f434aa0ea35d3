import type { FocusEvent, ReactNode } from 'react'
import type { Form, FieldName } from './form.ts'
import { FieldNote } from './FieldNote.tsx'
import * as s from './fields.module.css'

type Choice<T = string | boolean> = { value: T; label: ReactNode; description?: ReactNode }

type Props<V extends object, N extends FieldName<V>> = {
  form: Form<V>
  name: N
  legend: ReactNode
  options: Choice<V[N] & (string | boolean)>[]
  hideLegend?: boolean
  hint?: ReactNode
  row?: boolean
}

export function ChoiceField<V extends object, N extends FieldName<V>>({
  form,
  name,
  legend,
  options,
  hideLegend = false,
  hint,
  row = false,
}: Props<V, N>) {
  const field = form.field(name)
  const { id, onBlur, name: inputName, ...aria } = field.control

  function leave(event: FocusEvent<HTMLFieldSetElement>) {
    if (!event.currentTarget.contains(event.relatedTarget)) onBlur(event)
  }

  return (
    <fieldset id={id} className={s.field} role="radiogroup" {...aria} onBlur={leave}>
      <legend className={hideLegend ? 'visually-hidden' : s.legend}>{legend}</legend>
      <div className={`${s.choices} ${row ? s.row : ''}`}>
        {options.map(({ value, label, description }) => {
          const key = `${id}-${value}`
          return (
            <label key={key} className={s.choice}>
              <input
                type="radio"
                name={inputName}
                value={String(value)}
                data-boolean={typeof value === 'boolean' ? '' : undefined}
                aria-labelledby={key}
                aria-describedby={description ? `${key}-more` : undefined}
                checked={form.values[name] === value}
                onChange={() => form.set(name, value)}
              />
              <span>
                <span id={key} className={s.choiceLabel}>
                  {label}
                </span>
                {description && (
                  <span id={`${key}-more`} className={s.hint}>
                    {description}
                  </span>
                )}
              </span>
            </label>
          )
        })}
      </div>
      <FieldNote field={field} hint={hint} />
    </fieldset>
  )
}
