import { dayWords } from '#kit/server/day-words.ts'
import type { Forecast } from './forecast.ts'

/** What the sentences name beside the forecast. */
export type CycleWords = {
  /** MB of the whole cycle. */
  totalMb: number
  /** The day of the cycle's end, which is the plan's in its last one. */
  endsOn: Temporal.PlainDate
  isFinalCycle: boolean
  today: Temporal.PlainDate
}

/** A forecast in a sentence, `**strong**` standing for what it looks like. */
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

/** `'about **0.7 GB**'`: a GB and more to a tenth, less to 50 MB. */
function paceWords(mb: number, cycle: CycleWords): string {
  const step = mb < 1000 ? stepMb.small : stepMb.large
  const rounded = Math.round(mb / step) * step
  return rounded === 0 ? `less than **${amount(step, cycle)}**` : `about **${amount(rounded, cycle)}**`
}

const spareStepMb = 500

/** Never more than there will be. */
function spareWords(mb: number, cycle: CycleWords): string {
  const spare = Math.floor(mb / spareStepMb) * spareStepMb
  return spare > 0 ? `, with about ${amount(spare, cycle)} to spare` : ''
}

/** In the unit of the plan; so little that it is hardly a part of a GB in MB. */
const amount = (mb: number, { totalMb }: CycleWords): string =>
  totalMb < 1000 || mb < 100 ? `${mb} MB` : `${mb / 1000} GB`
