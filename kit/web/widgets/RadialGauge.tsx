import type { ReactNode } from 'react'
import * as s from './RadialGauge.module.css'

const [length, gap] = [93, 7]
const getFanPathProps = (feathers: number) => ({
  d: 'M30 150a120 120 0 0 1 240 0',
  pathLength: feathers * 100,
  strokeDashoffset: -gap / 2,
})

type Props = {
  value: number
  max: number
  label: string
  valueText: string
  children?: ReactNode
  feathers?: number
}

export function RadialGauge({ value, max, label, valueText, children, feathers = 12 }: Props) {
  const fan = getFanPathProps(feathers)
  const part = max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0
  const filledSegments = Math.ceil(part * feathers)
  return (
    <div className={s.gauge}>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
        aria-valuetext={valueText}
      >
        <svg viewBox="0 0 300 156" aria-hidden="true">
          <path {...fan} strokeDasharray={`${length} ${gap}`} />
          {filledSegments > 1 && (
            <path
              {...fan}
              className={s.left}
              strokeDasharray={`${`${length} ${gap} `.repeat(filledSegments - 1)}0 9999`}
            />
          )}
          {filledSegments > 0 && (
            <path {...fan} className={s.last} strokeDasharray={`0 ${(filledSegments - 1) * 100} ${length} 9999`} />
          )}
        </svg>
      </div>
      {children && <div className={s.middle}>{children}</div>}
    </div>
  )
}
