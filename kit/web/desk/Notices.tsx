import type { ReactNode } from 'react'
import * as s from './Notices.module.css'
import type { Elements } from '../text-elements.tsx'

/** Below a page's head: what was just done, as a reader is told it at once, and what else there is to know. */
export function Notices({ said, children }: { said?: ReactNode; children?: Elements }) {
  return (
    <div className={s.notices}>
      {said !== undefined && <div role="status">{said}</div>}
      {children}
    </div>
  )
}
