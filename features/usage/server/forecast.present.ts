import { formatDate } from '#kit/contract/dates.ts'
import type { Forecast } from './forecast.ts'

export type ForecastCycle = {
  totalMb: number
  /** The day on which the cycle ends. In the last cycle, this is also the plan's end. */
  endsOn: Temporal.PlainDate
  isFinalCycle: boolean
}

export function forecastText(forecastData: Forecast, cycle: ForecastCycle): string {
  const paceText = paceSentence(forecastData.paceMb, cycle)
  if (!forecastData.verdict) return `You use ${paceText} a day.`
  return `At ${paceText} a day your data ${verdictSentences[forecastData.verdict](forecastData, cycle)}.`
}

const verdictSentences: Record<NonNullable<Forecast['verdict']>, (said: Forecast, cycle: ForecastCycle) => string> = {
  lasts: ({ spareMb }, cycle) => `lasts until ${cycleEndLabel(cycle)}${spareSentence(spareMb, cycle)}`,
  'should-last': (_, cycle) => `should last until ${cycleEndLabel(cycle)}`,
  'may-run-out': (_, cycle) => `may run out shortly before ${cycleEndLabel(cycle)}`,
  'runs-out': ({ runsOutOn, daysEarly }) =>
    `runs out around **${formatFullDate(runsOutOn)}**, about ${daysEarly === 1 ? 'a day' : `${daysEarly} days`} early`,
}

const cycleEndLabel = ({ isFinalCycle, endsOn }: ForecastCycle): string =>
  isFinalCycle ? 'your plan ends' : `it renews on ${formatFullDate(endsOn)}`

const formatFullDate = (day: Temporal.PlainDate): string => formatDate(day.toString(), 'UTC')

const roundingStepMb = { small: 50, large: 100 }

function paceSentence(mb: number, cycle: ForecastCycle): string {
  const roundingMb = mb < 1000 ? roundingStepMb.small : roundingStepMb.large
  const roundedMb = Math.round(mb / roundingMb) * roundingMb
  return roundedMb === 0
    ? `less than **${formatAmount(roundingMb, cycle)}**`
    : `about **${formatAmount(roundedMb, cycle)}**`
}

const spareDataRoundingStepMb = 500

/** Round the spare data down, so that the sentence never promises too much. */
function spareSentence(mb: number, cycle: ForecastCycle): string {
  const roundedSpareMb = Math.floor(mb / spareDataRoundingStepMb) * spareDataRoundingStepMb
  return roundedSpareMb > 0 ? `, with about ${formatAmount(roundedSpareMb, cycle)} to spare` : ''
}

const formatAmount = (mb: number, { totalMb }: ForecastCycle): string =>
  totalMb < 1000 || mb < 100 ? `${mb} MB` : `${mb / 1000} GB`
