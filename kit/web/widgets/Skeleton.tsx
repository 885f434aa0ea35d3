import { LongWait } from './LongWait.tsx'
import * as s from './Skeleton.module.css'

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
