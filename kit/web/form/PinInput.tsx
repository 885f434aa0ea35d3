import { TextField, type TextFieldProps } from './TextField.tsx'
import * as s from './fields.module.css'

type Props<N extends string> = Omit<TextFieldProps<N>, 'allow' | 'inputMode' | 'maxLength'> & { length?: number }

export function PinInput<N extends string>({ length = 4, autoComplete = 'off', ...props }: Props<N>) {
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
