import { formatDate } from '#kit/contract/dates.ts'
import type { UsageDetail } from '../usage.contract.ts'
import { formatMegabytes, computeAxisMarks } from './detail.labels.ts'
import * as s from './DetailChart.module.css'

/** The chart has two extra days of padding on either side (spec 9). */
const paddingDays = 2
/** The chart's vertical positions in pixels from the top: highest mark, baseline, weekday and day of the month. */
const [top, bottom, weekday, dayOfMonth] = [20, 200, 218, 234]
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

export function DetailChart({ days }: { days: UsageDetail['data_usage'] }) {
  const marks = computeAxisMarks(Math.max(...days.map(({ value }) => value)))
  const highestAxisMark = marks.at(-1) ?? 1
  const slotWidth = 100 / (days.length + 2 * paddingDays)
  const computeHeight = (mb: number): number => ((bottom - top) * mb) / highestAxisMark
  return (
    <svg className={s.chart} aria-hidden="true">
      {marks.map((mark) => (
        <g key={mark}>
          <line
            className={mark === 0 ? s.ground : s.mark}
            x1="0"
            x2="100%"
            y1={bottom - computeHeight(mark)}
            y2={bottom - computeHeight(mark)}
          />
          <text
            x="0"
            y={bottom - computeHeight(mark) - 5}
          >{`${mark.toLocaleString('en-NZ')}${mark === highestAxisMark ? ' MB' : ''}`}</text>
        </g>
      ))}
      {days.map(({ date, value }, index) => {
        const left = (paddingDays + index) * slotWidth
        const name = weekdays[new Date(date).getUTCDay()] ?? ''
        const height = value > 0 ? Math.max(2, computeHeight(value)) : 0
        return (
          <g key={date} className={s.day}>
            <rect
              x={`${left + slotWidth * 0.16}%`}
              width={`${slotWidth * 0.68}%`}
              y={bottom - height}
              height={height}
              rx="3"
            >
              <title>{`${formatDate(date, 'UTC')}: ${formatMegabytes(value)} MB`}</title>
            </rect>
            <text x={`${left + slotWidth / 2}%`} y={weekday}>
              {name.charAt(0)}
              <tspan className={s.rest}>{name.slice(1)}</tspan>
            </text>
            <text x={`${left + slotWidth / 2}%`} y={dayOfMonth}>
              {Number(date.slice(-2))}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
