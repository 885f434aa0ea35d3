import { dayWords } from '#kit/server/day-words.ts'
import type { Forecast } from './forecast.ts'

export type CycleWords = {
  totalMb: number
  /** The day on which the cycle ends, which is the plan's end in its last cycle. */
  endsOn: Temporal.PlainDate
  isFinalCycle: boolean
  today: Temporal.PlainDate
}

export function forecastText(said: Forecast, cycle: CycleWords): string {
  const pace = paceWords(said.paceMb, cycle)
  if (!said.verdict) return `You use ${pace} a day.`
  return `At ${pace} a day your data ${endings[said.verdict](said, cycle)}.`
}

const endings: Record<NonNullable<Forecast['verdict']>, (said: Forecast, cycle: CycleWords) => string> = {
  lasts: ({ spareMb }, cycle) => `lasts until ${endWords(cycle)}${spareWords(spareMb, cycle)}`,
  'should-last': (_, cycle) => `should last until ${endWords(cycle)}`,
  'may-run-out': (_, cycle) => `may run out shortly before ${endWords(cycle)}`,
  'runs-out': ({ runsOutOn, daysEarly }, { today }) =>
    `runs out around **${dayWords(runsOutOn, today)}**, about ${daysEarly === 1 ? 'a day' : `${daysEarly} days`} early`,
}

const endWords = ({ isFinalCycle, endsOn, today }: CycleWords): string =>
  isFinalCycle ? 'your plan ends' : `it renews on ${dayWords(endsOn, today)}`

const stepMb = { small: 50, large: 100 }

function paceWords(mb: number, cycle: CycleWords): string {
  const step = mb < 1000 ? stepMb.small : stepMb.large
  const rounded = Math.round(mb / step) * step
  return rounded === 0 ? `less than **${amount(step, cycle)}**` : `about **${amount(rounded, cycle)}**`
}

const spareStepMb = 500

/** Rounded down, so that the sentence never promises too much. */
function spareWords(mb: number, cycle: CycleWords): string {
  const spare = Math.floor(mb / spareStepMb) * spareStepMb
  return spare > 0 ? `, with about ${amount(spare, cycle)} to spare` : ''
}

const amount = (mb: number, { totalMb }: CycleWords): string =>
  totalMb < 1000 || mb < 100 ? `${mb} MB` : `${mb / 1000} GB`
