import { TextField, type TextFieldProps } from './TextField.tsx'
import s from './fields.module.css'

type Props<V extends object> = Omit<TextFieldProps<V>, 'allow' | 'inputMode' | 'maxLength'> & { length?: number }

/** A code of so many digits: numeric only. One box, so that pasting, correcting and screen readers simply work. */
export function PinInput<V extends object>({ length = 4, autoComplete = 'off', ...props }: Props<V>) {
  return (
    <TextField
      {...props}
      autoComplete={autoComplete}
      inputMode="numeric"
      allow={/\d/}
      maxLength={length}
      className={s.pin}
    />
  )
}
