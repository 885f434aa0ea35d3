import type { ReactNode } from 'react'
import * as s from './ChoiceCard.module.css'

type Props = {
  name: string
  value: string
  checked: boolean
  onChoose: () => void
  /** Ids, among what it holds, of what names it and of what tells more about it. */
  labelledBy: string
  describedBy: string
  children: ReactNode
  /** Below, and not part of the choice: a link. */
  more?: ReactNode
  className?: string
}

/** One of several things to choose among that take more than a line: a radio button, and the whole card presses it. */
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
