import { useState } from 'react'
import { Icon } from '../widgets/Icon.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'
import * as s from './fields.module.css'

export function PasswordField<N extends string>({
  autoComplete = 'current-password',
  ...props
}: Omit<TextFieldProps<N>, 'type' | 'trailing'>) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <button
          type="button"
          className={s.peek}
          aria-label={shown ? 'Hide password' : 'Show password'}
          // The field keeps the focus, so that showing the password does not count as leaving the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eye-off' : 'eye'} />
        </button>
      }
    />
  )
}
