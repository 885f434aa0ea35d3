import type { ReactNode } from 'react'
import { Link } from '../Link.tsx'
import { Sparkline } from './Sparkline.tsx'
import type { Tone } from './tone.ts'
import * as tones from './Tone.module.css'
import * as s from './Figure.module.css'

export type FigureProps = {
  label: string
  value: ReactNode
  change?: { text: string; tone: Tone }
  note?: ReactNode
  spark?: { values: number[]; before?: number[]; tone?: Tone }
  href?: string
}

const toneClasses = { plain: '', brand: '', good: tones.good, warn: tones.warn, bad: tones.bad }

export function Figure({ label, value, change, note, spark, href }: FigureProps) {
  return (
    <div className={s.figure}>
      <dt className={s.label}>
        {href ? (
          <Link href={href} className={s.link}>
            {label}
          </Link>
        ) : (
          label
        )}
      </dt>
      <dd>
        <span className={s.line}>
          <b className={s.value}>{value}</b>
          {spark && <Sparkline {...spark} />}
        </span>
        <span className={s.note}>
          {change && <b className={`${tones.words} ${toneClasses[change.tone]}`}>{change.text}</b>}
          {note && (
            <span>
              {change && <span> · </span>}
              <span>{note}</span>
            </span>
          )}
        </span>
      </dd>
    </div>
  )
}

export function Figures({ figures }: { figures: readonly FigureProps[] }) {
  return (
    <dl className={s.figures}>
      {figures.map((figure) => (
        <Figure key={figure.label} {...figure} />
      ))}
    </dl>
  )
}
