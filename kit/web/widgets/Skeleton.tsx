import { LongWait } from './LongWait.tsx'
import * as s from './Skeleton.module.css'

/** The shape of words that are on their way, `lines` of them; it keeps their room so that nothing jumps. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className={s.skeleton} role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <i key={index} />
      ))}
      <LongWait />
    </div>
  )
}
