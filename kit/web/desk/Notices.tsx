import type { ReactNode } from 'react'
import * as s from './Notices.module.css'
import type { Elements } from '../text-elements.tsx'

export function Notices({ said, children }: { said?: ReactNode; children?: Elements }) {
  return (
    <div className={s.notices}>
      {said !== undefined && <div role="status">{said}</div>}
      {children}
    </div>
  )
}
