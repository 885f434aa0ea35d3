import * as s from './Progress.module.css'

type Props = {
  value: number
  max: number
  label: string
  valueText?: string | undefined
  kind?: 'brand' | 'sun'
}

const kindClasses = { brand: '', sun: s.sun }

export function Progress({ value, max, label, valueText, kind = 'brand' }: Props) {
  return (
    <progress
      className={`${s.bar} ${kindClasses[kind]}`}
      value={Math.min(Math.max(value, 0), max)}
      max={max}
      aria-label={label}
      aria-valuetext={valueText}
    />
  )
}
