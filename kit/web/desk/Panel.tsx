import { type ReactNode, useId } from 'react'
import * as s from './Panel.module.css'

type Props = {
  title: ReactNode
  /** Beside the title, in small print. */
  note?: ReactNode
  /** At the other end of the title's line: a link, a button, chips. */
  action?: ReactNode
  children: ReactNode
  /** Below everything, behind a line. */
  foot?: ReactNode
  /** False for rows that reach from edge to edge. */
  inset?: boolean
  /** The one to be looked at first. */
  marked?: boolean
}

/** A sheet on the desk, with what it is about. */
export function Panel({ title, note, action, children, foot, inset = true, marked = false }: Props) {
  const id = useId()
  return (
    <section className={`${s.panel} ${marked ? s.marked : ''}`} aria-labelledby={id}>
      <header className={`${s.head} ${inset ? '' : s.lined}`}>
        <h2 id={id} className={s.title}>
          {title}
        </h2>
        {note && <span className={s.note}>{note}</span>}
        {action && <div className={s.action}>{action}</div>}
      </header>
      <div className={inset ? s.inset : ''}>{children}</div>
      {foot && <footer className={s.foot}>{foot}</footer>}
    </section>
  )
}
