import type { ReactNode } from 'react'
import * as s from './Pill.module.css'

const kindClasses = { brand: '', good: s.good, warn: s.warn }

export function Pill({ kind = 'brand', children }: { kind?: 'brand' | 'good' | 'warn'; children: ReactNode }) {
  return <span className={`${s.pill} ${kindClasses[kind]}`}>{children}</span>
}
