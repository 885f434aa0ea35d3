import type { ReactNode } from 'react'
import type { FieldProps } from './form.ts'
import { ErrorText } from './ErrorText.tsx'
import * as s from './fields.module.css'

/**
 * The line below a form control, with its errors or otherwise its hint. The line keeps its height when empty, because an error that appears
 * on blur must not move the button that the customer is pressing.
 */
export function FieldNote({ field, hint }: { field: FieldProps; hint?: ReactNode }) {
  return (
    <div id={field.noteId} className={s.note} data-field={field.control.name}>
      <div aria-live="polite">
        {field.errors.map((entry) => (
          <p key={JSON.stringify(entry)} className={s.error}>
            <ErrorText entry={entry} />
          </p>
        ))}
      </div>
      {field.errors.length === 0 && hint && <p className={s.hint}>{hint}</p>}
    </div>
  )
}
