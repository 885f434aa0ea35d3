import type { ReactNode } from 'react'
import { Link } from '../Link.tsx'
import { Spark } from './Spark.tsx'
import type { Tone } from './tone.ts'
import * as tones from './Tone.module.css'
import * as s from './Figure.module.css'

export type FigureProps = {
  label: string
  value: ReactNode
  /** Against what it is compared with: `+8%`. `plain` where neither way is better. */
  change?: { text: string; tone: Tone }
  /** What else there is to say. */
  note?: ReactNode
  spark?: { values: number[]; before?: number[]; tone?: Tone }
  /** Where there is more of it. */
  href?: string
}

const looks = { plain: '', brand: '', good: tones.good, warn: tones.warn, bad: tones.bad }

/** One figure, large, with how it stands against the day it is compared with. */
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
          {spark && <Spark {...spark} />}
        </span>
        <span className={s.note}>
          {change && <b className={`${tones.words} ${looks[change.tone]}`}>{change.text}</b>}
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

/** Figures side by side on one sheet. */
export function Figures({ figures }: { figures: readonly FigureProps[] }) {
  return (
    <dl className={s.figures}>
      {figures.map((figure) => (
        <Figure key={figure.label} {...figure} />
      ))}
    </dl>
  )
}
