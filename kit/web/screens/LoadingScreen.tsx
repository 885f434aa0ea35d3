import { Tail } from '../widgets/Tail.tsx'
import s from './screens.module.css'

/** Stands in for a page that is on its way; shows only when that takes a moment. */
export function LoadingScreen() {
  return (
    <div className={`${s.screen} ${s.late}`} role="status">
      <Tail />
      <span className="visually-hidden">Loading</span>
    </div>
  )
}
