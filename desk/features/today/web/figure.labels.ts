import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import type { FigureProps } from '#kit/web/desk/Figure.tsx'
import type { Figures } from '../today.contract.ts'

type FigureChange = NonNullable<FigureProps['change']>

export function formatChange(now: number, before: number): FigureChange | undefined {
  if (before === 0) return undefined
  const percent = Math.round(((now - before) / before) * 100)
  return {
    text: formatSigned(`${Math.abs(percent)}%`, percent),
    tone: percent > 0 ? 'good' : percent < -20 ? 'warn' : 'plain',
  }
}

const formatSigned = (text: string, value: number): string => (value < 0 ? `−${text}` : `+${text}`)

const computePercent = (part: number, whole: number): number => (whole === 0 ? 0 : (part / whole) * 100)
const formatPercent = (percent: number): string => `${percent.toFixed(1)}%`

function buildRefusalFigure({ payments: { asked, refused, asked_before, refused_before } }: Figures): FigureProps {
  const now = computePercent(refused, asked)
  const percentagePoints = Math.round((now - computePercent(refused_before, asked_before)) * 10) / 10
  const change: FigureChange = {
    text: formatSigned(`${Math.abs(percentagePoints).toFixed(1)} points`, percentagePoints),
    tone: percentagePoints > 0 ? 'bad' : 'good',
  }
  return {
    label: 'Payments refused',
    value: asked === 0 ? '–' : formatPercent(now),
    ...(asked > 0 && asked_before > 0 && percentagePoints !== 0 && { change }),
    note: asked === 0 ? 'no payments yet' : `${refused} of ${asked}`,
  }
}

const runningTotals = (values: number[]): number[] => {
  let sum = 0
  return values.map((value) => (sum += value))
}

export function buildFigures(figures: Figures, hour: number, ports?: string): FigureProps[] {
  const { activated, renewed, money, transfers } = figures
  const until = figures.hours.slice(0, hour + 1)
  return [
    {
      label: 'SIMs activated',
      value: formatCount(activated.now),
      ...toChangeProps(formatChange(activated.now, activated.before)),
      note: activated.before === 0 ? 'none a week ago' : `${formatCount(activated.before)} a week ago`,
      spark: { values: runningTotals(until.map((each) => each.activated)) },
    },
    {
      label: 'Plans renewed',
      value: formatCount(renewed.now),
      ...toChangeProps(formatChange(renewed.now, renewed.before)),
      note:
        renewed.now === 0
          ? 'none yet'
          : `${Math.round(computePercent(renewed.by_themselves, renewed.now))}% automatically`,
      spark: { values: runningTotals(until.map((each) => each.renewed)) },
    },
    ...(money
      ? [
          {
            label: 'Money taken',
            value: formatPriceWithCommas(decimalToCents(money.taken)),
            ...toChangeProps(formatChange(decimalToCents(money.taken), decimalToCents(money.taken_before))),
            note: `${formatPriceWithCommas(decimalToCents(money.given))} refunded`,
          },
        ]
      : []),
    buildRefusalFigure(figures),
    {
      label: 'Number transfers in progress',
      value: formatCount(transfers.open),
      note:
        transfers.late === 0 ? 'none open for over 4 hours' : `${formatCount(transfers.late)} open for over 4 hours`,
      ...(ports && { href: ports }),
    },
  ]
}

const toChangeProps = (change: FigureChange | undefined) => (change ? { change } : {})

/**
 * Formats a number with commas, for example `1,204`. It does not use `Intl`, because browsers format numbers
 * differently from one another.
 */
export const formatCount = (value: number): string => String(value).replace(/\B(?=(\d{3}){1,4}$)/g, ',')
