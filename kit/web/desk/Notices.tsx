import type { ReactNode } from 'react'
import * as s from './Notices.module.css'
import type { TextFreeNode } from '../text-elements.tsx'

export function Notices({ said, children }: { said?: ReactNode; children?: TextFreeNode }) {
  return (
    <div className={s.notices}>
      {said !== undefined && <div role="status">{said}</div>}
      {children}
    </div>
  )
}
