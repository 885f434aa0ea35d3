import { useId } from 'react'
import * as s from './ChipRow.module.css'

export type Chip<V extends string> = { value: V; text: string; count?: number }

type Props<V extends string> = {
  label: string
  chips: readonly Chip<V>[]
  value: V
  onChange: (value: V) => void
}

export function ChipRow<V extends string>({ label, chips, value, onChange }: Props<V>) {
  const name = useId()
  return (
    <fieldset className={s.row}>
      <legend className="visually-hidden">{label}</legend>
      {chips.map((chip) => (
        <label key={chip.value} className={s.chip}>
          <input
            type="radio"
            name={name}
            value={chip.value}
            checked={chip.value === value}
            onChange={() => onChange(chip.value)}
          />
          {chip.text}
          {chip.count !== undefined && <span className={s.count}> {chip.count}</span>}
        </label>
      ))}
    </fieldset>
  )
}
