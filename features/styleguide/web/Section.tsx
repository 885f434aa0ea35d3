import { type ReactNode, useId } from 'react'
import { Card } from '#kit/web/widgets/Card.tsx'
import * as s from './guide.module.css'

export function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={s.section}>
      <h2 id={id}>{title}</h2>
      {note && <p className={s.note}>{note}</p>}
      <Card className={s.sheet}>{children}</Card>
    </section>
  )
}

export function States({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  return <div className={`${s.states} ${wide ? s.wide : ''}`}>{children}</div>
}

export function State({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={s.state}>
      <p className={s.name}>{name}</p>
      {children}
    </div>
  )
}
