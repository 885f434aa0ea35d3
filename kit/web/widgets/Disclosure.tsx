import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import * as s from './Disclosure.module.css'

export function Disclosure({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details className={s.disclosure}>
      <summary>
        <Icon name="chevron" className={s.mark} />
        {summary}
      </summary>
      <div className={s.body}>{children}</div>
    </details>
  )
}

export function HelpPanel({ title, open, children }: { title: ReactNode; open?: boolean; children: ReactNode }) {
  return (
    <details className={`${s.disclosure} ${s.help}`} open={open}>
      <summary>
        <Icon name="help" />
        {title}
        <Icon name="chevron" className={`${s.mark} ${s.end}`} />
      </summary>
      <div className={s.body}>{children}</div>
    </details>
  )
}
