import type { ReactNode } from 'react'
import * as s from './FactStrip.module.css'

export type Fact = {
  label: string
  value: ReactNode
  action?: ReactNode
}

export function FactStrip({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={s.strip}>
      {facts.map(({ label, value, action }) => (
        <div key={label} className={s.fact}>
          <dt>{label}</dt>
          <dd>
            {value}
            {action}
          </dd>
        </div>
      ))}
    </dl>
  )
}
