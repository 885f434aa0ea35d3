import type { ReactNode } from 'react'
import * as s from './DetailHead.module.css'

type Props = {
  /** From the list that it stands in down to itself. */
  crumbs: ReactNode
  title: string
  /** Beside its name: where it stands. */
  children: ReactNode
  /** What can be done about it. */
  acts: ReactNode
}

/** The head of a page that is about one thing: where it belongs, what it is called, and what can be done. */
export function DetailHead({ crumbs, title, children, acts }: Props) {
  return (
    <header className={s.head}>
      <nav aria-label="Where this is" className={s.crumbs}>
        {crumbs}
      </nav>
      <div className={s.line}>
        <h1>{title}</h1>
        {children}
        <div className={s.acts}>{acts}</div>
      </div>
    </header>
  )
}
