import type { ReactNode } from 'react'
import * as s from './PageHead.module.css'

export const PageHead = ({ title, children }: { title: string; children?: ReactNode }) => (
  <header className={s.head}>
    <h1>{title}</h1>
    {children}
  </header>
)
