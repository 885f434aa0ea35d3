import { LongWait } from './LongWait.tsx'
import * as s from './Skeleton.module.css'

/** A placeholder for `lines` lines of text that are loading. It reserves their room, so that nothing jumps. */
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
