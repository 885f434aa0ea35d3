import type { ReactNode } from 'react'
import { FanProgress } from './FanProgress.tsx'
import * as s from './ProgressSteps.module.css'

type Props = {
  messages: readonly string[]
  index: number
  note?: ReactNode
}

export function ProgressSteps({ messages, index, note }: Props) {
  const at = Math.min(Math.max(index, 0), messages.length - 1)
  return (
    <div className={s.progress}>
      <FanProgress part={(at + 1) / (messages.length + 1)} />
      <h1 className={s.message} aria-live="polite">
        <span key={at}>{messages[at]}</span>
      </h1>
      {note && <p className={s.note}>{note}</p>}
    </div>
  )
}
