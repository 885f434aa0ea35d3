import { useId } from 'react'
import * as s from './Switch.module.css'

type Props = {
  label: string
  isOn: boolean
  isFixed?: boolean
  disabled?: boolean
  describedBy?: string
  onChange: (on: boolean) => void
}

export function Switch({ label, isOn, isFixed = false, disabled = false, describedBy, onChange }: Props) {
  const id = useId()
  return (
    <label className={s.row} htmlFor={id}>
      <span>{label}</span>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={disabled}
        aria-checked={isOn}
        aria-disabled={isFixed || undefined}
        aria-describedby={describedBy}
        onChange={(event) => !isFixed && onChange(event.currentTarget.checked)}
      />
    </label>
  )
}
