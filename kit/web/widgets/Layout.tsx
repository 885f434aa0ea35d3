import type { ReactNode } from 'react'
import * as s from './Layout.module.css'

export function PageTitle({ children, lead }: { children: ReactNode; lead?: ReactNode }) {
  return (
    <div className={s.title}>
      <h1>{children}</h1>
      {lead && <p className={s.lead}>{lead}</p>}
    </div>
  )
}

type ColumnsProps = {
  children: ReactNode
  aside?: ReactNode
  narrow?: 'above' | 'below' | 'hidden'
}

export function Columns({ children, aside, narrow = 'below' }: ColumnsProps) {
  const asideElement = aside && <aside className={`${s.aside} ${narrow === 'hidden' ? s.wideOnly : ''}`}>{aside}</aside>
  return (
    <div className={s.columns}>
      {narrow === 'above' && asideElement}
      <div className={s.column}>{children}</div>
      {narrow !== 'above' && asideElement}
    </div>
  )
}

export function ShowOnNarrowScreens({ children }: { children: ReactNode }) {
  return <div className={s.narrowOnly}>{children}</div>
}
