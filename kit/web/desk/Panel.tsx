import { type ReactNode, useId } from 'react'
import * as s from './Panel.module.css'

type Props = {
  title: ReactNode
  note?: ReactNode
  action?: ReactNode
  children: ReactNode
  foot?: ReactNode
  inset?: boolean
  marked?: boolean
}

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
