import type { ReactNode } from 'react'
import * as s from './ChoiceCard.module.css'

type Props = {
  name: string
  value: string
  checked: boolean
  onChoose: () => void
  labelledBy: string
  describedBy: string
  children: ReactNode
  more?: ReactNode
  className?: string
}

export function ChoiceCard({
  name,
  value,
  checked,
  onChoose,
  labelledBy,
  describedBy,
  children,
  more,
  className = '',
}: Props) {
  return (
    <div className={`${s.card} ${className}`}>
      <label>
        <input
          type="radio"
          name={name}
          value={value}
          checked={checked}
          onChange={onChoose}
          aria-labelledby={labelledBy}
          aria-describedby={describedBy}
        />
        <span className={s.content}>{children}</span>
      </label>
      {more}
    </div>
  )
}
