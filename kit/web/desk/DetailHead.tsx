import type { ReactNode } from 'react'
import * as s from './DetailHead.module.css'

type Props = {
  crumbs: ReactNode
  title: string
  children: ReactNode
  acts: ReactNode
}

export function DetailHead({ crumbs, title, children, acts }: Props) {
  return (
    <header className={s.head}>
      <nav aria-label="Breadcrumb" className={s.crumbs}>
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
