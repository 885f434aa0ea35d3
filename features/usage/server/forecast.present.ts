import { formatDate } from '#kit/contract/dates.ts'
import type { Forecast } from './forecast.ts'

export type ForecastCycle = {
  totalMb: number
  /** The day on which the cycle ends. In the last cycle, this is also the plan's end. */
  endsOn: Temporal.PlainDate
  isFinalCycle: boolean
}

export function describeForecast(forecastData: Forecast, cycle: ForecastCycle): string {
  const formattedPace = formatPace(forecastData.paceMb, cycle)
  if (!forecastData.verdict) return `You use ${formattedPace} a day.`
  return `At ${formattedPace} a day your data ${verdictDescriptions[forecastData.verdict](forecastData, cycle)}.`
}

const verdictDescriptions: Record<
  NonNullable<Forecast['verdict']>,
  (said: Forecast, cycle: ForecastCycle) => string
> = {
  lasts: ({ spareMb }, cycle) => `lasts until ${describeCycleEnd(cycle)}${describeSpareData(spareMb, cycle)}`,
  'should-last': (_, cycle) => `should last until ${describeCycleEnd(cycle)}`,
  'may-run-out': (_, cycle) => `may run out shortly before ${describeCycleEnd(cycle)}`,
  'runs-out': ({ runsOutOn, daysEarly }) =>
    `runs out around **${formatFullDate(runsOutOn)}**, about ${daysEarly === 1 ? 'a day' : `${daysEarly} days`} early`,
}

const describeCycleEnd = ({ isFinalCycle, endsOn }: ForecastCycle): string =>
  isFinalCycle ? 'your plan ends' : `it renews on ${formatFullDate(endsOn)}`

const formatFullDate = (day: Temporal.PlainDate): string => formatDate(day.toString(), 'UTC')

const roundingStepMb = { small: 50, large: 100 }

function formatPace(mb: number, cycle: ForecastCycle): string {
  const roundingMb = mb < 1000 ? roundingStepMb.small : roundingStepMb.large
  const roundedMb = Math.round(mb / roundingMb) * roundingMb
  return roundedMb === 0
    ? `less than **${formatAmount(roundingMb, cycle)}**`
    : `about **${formatAmount(roundedMb, cycle)}**`
}

const spareDataRoundingStepMb = 500

/** Round the spare data down, so that the sentence never promises too much. */
function describeSpareData(mb: number, cycle: ForecastCycle): string {
  const roundedSpareMb = Math.floor(mb / spareDataRoundingStepMb) * spareDataRoundingStepMb
  return roundedSpareMb > 0 ? `, with about ${formatAmount(roundedSpareMb, cycle)} to spare` : ''
}

const formatAmount = (mb: number, { totalMb }: ForecastCycle): string =>
  totalMb < 1000 || mb < 100 ? `${mb} MB` : `${mb / 1000} GB`
