import type { Tone } from './tone.ts'
import * as s from './Sparkline.module.css'

const toneClasses = { plain: '', brand: '', good: '', warn: s.warn, bad: s.bad }
const [width, height] = [84, 24]

export function Sparkline({
  values,
  before = [],
  tone = 'brand',
}: {
  values: number[]
  before?: number[]
  tone?: Tone
}) {
  const maxValue = Math.max(...values, ...before, 1)
  const steps = Math.max(values.length, before.length) - 1
  const line = (row: number[]): string =>
    row
      .map(
        (value, at) =>
          `${round((at / Math.max(steps, 1)) * width)},${round(height - 1 - (value / maxValue) * (height - 2))}`,
      )
      .join(' ')
  return (
    <svg
      className={`${s.spark} ${toneClasses[tone]}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {before.length > 0 && <polyline className={s.before} points={line(before)} />}
      <polyline points={line(values)} />
    </svg>
  )
}

const round = (value: number): number => Math.round(value * 10) / 10
