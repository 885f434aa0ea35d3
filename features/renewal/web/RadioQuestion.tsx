import type { ReactNode } from 'react'
import { FieldNote } from '#kit/web/form/FieldNote.tsx'
import type { Form } from '#kit/web/form/form.ts'
import * as s from './start-choice.module.css'

export type RadioChoice = { name: string; value: string; checked: boolean; onChoose: () => void }

type Props<N extends string, A extends string> = {
  form: Pick<Form<Record<N, A>>, 'values' | 'set' | 'field'>
  name: N
  title: string
  className: string | undefined
  children: (choice: (answer: A) => RadioChoice) => ReactNode
}

export function RadioQuestion<N extends string, A extends string>({
  form,
  title,
  className,
  children,
  ...fieldProps
}: Props<N, A>) {
  const field = form.field(fieldProps.name)
  // `onBlur` is left out, because leaving the radio group does not need validation.
  const { onBlur: _, name, ...control } = field.control
  return (
    <fieldset role="radiogroup" className={s.question} {...control}>
      <legend>
        <h2>{title}</h2>
      </legend>
      <div className={className}>
        {children((value) => ({
          name,
          value,
          checked: form.values[fieldProps.name] === value,
          onChoose: () => form.set(fieldProps.name, value),
        }))}
      </div>
      <FieldNote field={field} />
    </fieldset>
  )
}
