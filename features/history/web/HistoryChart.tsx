import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { monthNames } from '#kit/contract/dates.ts'
import { formatData } from '#kit/contract/plans.ts'
import type { History } from '../history.contract.ts'
import { barsOf, type Bar } from './history-chart.ts'
import { monthWords, spanWords, usedWords } from './history-words.ts'
import * as s from './HistoryChart.module.css'

/** Pixels: the baselines of both rows of bars, the height of the tallest bar, and the positions of the texts. */
const [usedGround, spentGround, tallest] = [150, 300, 110]
const [usedTitle, months, spentTitle] = [18, 166, 198]

/**
 * Usage by cycle above, spending by month below, on one time axis. Screen readers skip the chart, because the tables
 * contain the same data.
 */
export function HistoryChart({ history }: { history: History }) {
  const { used, spent, mostMb, mostSpent } = barsOf(history)
  const cents = history.months.map((month) => fromWire(month.spent))
  return (
    <svg className={s.chart} aria-hidden="true">
      <text x="0" y={usedTitle} className={s.title}>
        Most data in a cycle: {formatData(mostMb / 1000)}
      </text>
      <line className={s.ground} x1="0" x2="100%" y1={usedGround} y2={usedGround} />
      {used.map((bar, at) => {
        const cycle = history.cycles[at]
        return (
          <g key={bar.key} className={bar.isKnown ? s.used : s.unknown}>
            <BarOf bar={bar.isKnown ? bar : { ...bar, height: 0.06 }} ground={usedGround}>
              {cycle && `${spanWords(cycle)}: ${usedWords(cycle)}`}
            </BarOf>
          </g>
        )
      })}
      {history.months.map(({ month }, at) => (
        <text key={month} x={`${((at + 0.5) * 100) / history.months.length}%`} y={months} className={s.month}>
          {nameOf(month).charAt(0)}
          <tspan className={s.rest}>{nameOf(month).slice(1)}</tspan>
        </text>
      ))}
      <text x="0" y={spentTitle} className={s.title}>
        Most spent in a month: {formatSum(Math.round(mostSpent * 100))}
      </text>
      <line className={s.ground} x1="0" x2="100%" y1={spentGround} y2={spentGround} />
      {spent.map((bar, at) => (
        <g key={bar.key} className={s.spent}>
          <BarOf bar={bar} ground={spentGround} isNarrow>
            {`${monthWords(bar.key)}: ${formatSum(cents[at] ?? 0)}`}
          </BarOf>
        </g>
      ))}
    </svg>
  )
}

const nameOf = (month: string): string => monthNames[Number(month.slice(5, 7)) - 1] ?? ''

function BarOf({
  bar,
  ground,
  isNarrow = false,
  children,
}: {
  bar: Bar
  ground: number
  isNarrow?: boolean
  children: string | undefined
}) {
  const height = bar.height > 0 ? Math.max(2, bar.height * (tallest - 16)) : 0
  const width = (bar.right - bar.left) * 100
  const gap = width * (isNarrow ? 0.2 : 0.06)
  return (
    <rect
      x={`${bar.left * 100 + gap}%`}
      width={`${Math.max(0, width - 2 * gap)}%`}
      y={ground - height}
      height={height}
      rx="3"
    >
      <title>{children}</title>
    </rect>
  )
}
