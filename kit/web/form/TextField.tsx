import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { ChangeEvent, CompositionEvent, InputHTMLAttributes, ReactNode } from 'react'
import { cleanCode } from '#kit/contract/clean-text.ts'
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
>

export type TextFieldProps<N extends string> = NativeInputProps & {
  form: Form<Record<N, string>>
  name: N
  label: ReactNode
  hint?: ReactNode
  optional?: boolean
  /** How many code points a field with `allow`, `format` or `uppercase` keeps. */
  maxLength?: number
  /** The characters that the field accepts, after full-width ones have become ASCII and invisible ones are gone. */
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
    maxLength: _maxLength,
    allow: _allow,
    format: _format,
    uppercase: _uppercase,
    trailing,
    noName,
    optional,
    className = '',
    ...native
  } = props
  const field = form.field(name)
  const [input, handlers] = useFilteredInput(props)
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
          value={form.values[name]}
          {...handlers}
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
    // A person's text is never cut: it may only be too long because of invisible characters, and the form's error says if it is.
    if (!allow && !format && !uppercase) return typed
    const clean = cleanCode(typed)
    const kept = allow ? [...clean].filter((character) => allow.test(character)).join('') : clean
    const cased = uppercase ? kept.toUpperCase() : kept
    // The text is cut after filtering. Otherwise, a pasted "+64 (21) 555-0142" would lose its last digits.
    return [...(format ? format(cased) : cased)].slice(0, maxLength).join('')
  }

  function setFiltered({ value: typed, selectionStart }: HTMLInputElement) {
    const text = filterText(typed)
    // Setting a text that differs from the typed one moves the caret to the end, so we remember where it was.
    caret.current = text !== typed && selectionStart !== null ? filterText(typed.slice(0, selectionStart)).length : null
    form.set(name, text)
  }

  const handlers = {
    onChange({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) {
      // Changing the text while an input method composes it would make the input method insert it again.
      if ((nativeEvent as InputEvent).isComposing) form.set(name, currentTarget.value)
      else setFiltered(currentTarget)
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLInputElement>) => setFiltered(currentTarget),
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

  return [input, handlers] as const
}
