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
  /** Place of the aside on a narrow screen: above or below the column, or hidden when a dialog shows the same content there. */
  narrow?: 'above' | 'below' | 'hidden'
}

/** A form's column, at most 640 px wide, with an aside beside it where there is room. */
export function Columns({ children, aside, narrow = 'below' }: ColumnsProps) {
  const beside = aside && <aside className={`${s.aside} ${narrow === 'hidden' ? s.wideOnly : ''}`}>{aside}</aside>
  return (
    <div className={s.columns}>
      {narrow === 'above' && beside}
      <div className={s.column}>{children}</div>
      {narrow !== 'above' && beside}
    </div>
  )
}

/** Shows its content on narrow screens only, such as the button that opens the summary. */
export function NarrowOnly({ children }: { children: ReactNode }) {
  return <div className={s.narrowOnly}>{children}</div>
}
