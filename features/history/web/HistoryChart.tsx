import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { monthNames } from '#kit/contract/dates.ts'
import { formatDataAmount } from '#kit/contract/plans.ts'
import type { History } from '../history.contract.ts'
import { computeChartBars, type Bar } from './chart-bars.ts'
import { monthLabel, cycleLabel, usedDataLabel } from './history.labels.ts'
import * as s from './HistoryChart.module.css'

/** Vertical positions and sizes in pixels: the baselines for the usage and spending bars, and the tallest bar's height. */
const [usageBaseline, spendingBaseline, maxBarHeight] = [150, 300, 110]
const [usageTitleY, monthLabelsY, spendingTitleY] = [18, 166, 198]

/**
 * Shows each cycle's usage above each month's spending, on a shared time axis. The chart is hidden from screen readers,
 * because the tables contain the same data.
 */
export function HistoryChart({ history }: { history: History }) {
  const { used, spent, mostMb, mostSpent } = computeChartBars(history)
  const cents = history.months.map((month) => decimalToCents(month.spent))
  return (
    <svg className={s.chart} aria-hidden="true">
      <text x="0" y={usageTitleY} className={s.title}>
        Most data in a cycle: {formatDataAmount(mostMb / 1000)}
      </text>
      <line className={s.ground} x1="0" x2="100%" y1={usageBaseline} y2={usageBaseline} />
      {used.map((bar, at) => {
        const cycle = history.cycles[at]
        return (
          <g key={bar.key} className={bar.isKnown ? s.used : s.unknown}>
            <ChartBar bar={bar.isKnown ? bar : { ...bar, height: 0.06 }} ground={usageBaseline}>
              {cycle && `${cycleLabel(cycle)}: ${usedDataLabel(cycle)}`}
            </ChartBar>
          </g>
        )
      })}
      {history.months.map(({ month }, at) => (
        <text key={month} x={`${((at + 0.5) * 100) / history.months.length}%`} y={monthLabelsY} className={s.month}>
          {getMonthName(month).charAt(0)}
          <tspan className={s.rest}>{getMonthName(month).slice(1)}</tspan>
        </text>
      ))}
      <text x="0" y={spendingTitleY} className={s.title}>
        Most spent in a month: {formatPriceWithCommas(Math.round(mostSpent * 100))}
      </text>
      <line className={s.ground} x1="0" x2="100%" y1={spendingBaseline} y2={spendingBaseline} />
      {spent.map((bar, at) => (
        <g key={bar.key} className={s.spent}>
          <ChartBar bar={bar} ground={spendingBaseline} isNarrow>
            {`${monthLabel(bar.key)}: ${formatPriceWithCommas(cents[at] ?? 0)}`}
          </ChartBar>
        </g>
      ))}
    </svg>
  )
}

const getMonthName = (month: string): string => monthNames[Number(month.slice(5, 7)) - 1] ?? ''

function ChartBar({
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
  const height = bar.height > 0 ? Math.max(2, bar.height * (maxBarHeight - 16)) : 0
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
