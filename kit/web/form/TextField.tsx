import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { ChangeEvent, InputHTMLAttributes, ReactNode } from 'react'
import type { Form } from './form.ts'
import { FieldNote } from './FieldNote.tsx'
import * as s from './fields.module.css'

type NativeInputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'type'
  | 'inputMode'
  | 'autoComplete'
  | 'autoCapitalize'
  | 'placeholder'
  | 'readOnly'
  | 'spellCheck'
  | 'enterKeyHint'
  | 'className'
  | 'onFocus'
>

export type TextFieldProps<N extends string> = NativeInputProps & {
  form: Form<Record<N, string>>
  name: N
  label: ReactNode
  hint?: ReactNode
  optional?: boolean
  maxLength?: number
  allow?: RegExp
  /**
   * Rewrites the typed text after `allow` has filtered it, for example by adding spaces to a card number. Formatting a prefix of the text
   * must yield a prefix of the formatted text.
   */
  format?: (text: string) => string
  uppercase?: boolean
  trailing?: ReactNode
  /** Omits the `name` attribute. Set for card inputs, because no browser can submit an input without a name. */
  noName?: boolean
}

export function TextField<N extends string>(props: TextFieldProps<N>) {
  const {
    form,
    name,
    label,
    hint,
    maxLength,
    allow,
    format,
    uppercase: _,
    trailing,
    noName,
    optional,
    className = '',
    ...native
  } = props
  const field = form.field(name)
  const [input, onChange] = useFilteredInput(props)
  const isFiltered = allow || format
  return (
    <div className={s.field}>
      <label htmlFor={field.id} className={s.label}>
        {label}
      </label>
      <div className={s.box}>
        <input
          {...native}
          {...field.control}
          aria-required={!optional}
          {...(noName && { name: undefined, 'data-field': name })}
          ref={input}
          className={`${s.input} ${trailing ? s.roomy : ''} ${className}`}
          // A filtered field is truncated after filtering. Otherwise, a pasted "+64 (21) 555-0142" would lose its last digits.
          maxLength={isFiltered ? undefined : maxLength}
          value={form.values[name]}
          onChange={onChange}
        />
        {trailing && <span className={s.trailing}>{trailing}</span>}
      </div>
      <FieldNote field={field} hint={hint} />
    </div>
  )
}

function useFilteredInput<N extends string>({ form, name, maxLength, allow, format, uppercase }: TextFieldProps<N>) {
  const value = form.values[name]
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)

  function filterText(typed: string): string {
    const kept = allow ? [...typed].filter((character) => allow.test(character)).join('') : typed
    const cased = uppercase ? kept.toUpperCase() : kept
    return (format ? format(cased) : cased).slice(0, maxLength)
  }

  function onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const { value: typed, selectionStart } = currentTarget
    const text = filterText(typed)
    // Setting a text that differs from the typed one moves the caret to the end, so we remember where it was.
    caret.current = text !== typed && selectionStart !== null ? filterText(typed.slice(0, selectionStart)).length : null
    form.set(name, text)
  }

  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  }, [value])

  const filterTyped = useEffectEvent(() => {
    if (filterText(value) !== value) form.set(name, filterText(value))
  })
  // Text typed before the script loaded has not been filtered yet.
  useEffect(() => {
    if (form.hydrated) filterTyped()
  }, [form.hydrated])

  return [input, onChange] as const
}
