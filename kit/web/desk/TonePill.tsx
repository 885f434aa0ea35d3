import type { ReactNode } from 'react'
import type { Tone } from './tone.ts'
import * as s from './TonePill.module.css'

const toneClasses = { plain: '', brand: s.brand, good: s.good, warn: s.warn, bad: s.bad }

export function TonePill({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`${s.pill} ${toneClasses[tone]}`}>{children}</span>
}
