import { formatPrice } from '#kit/contract/money.ts'
import { formatData, formatDays, pricePer30Days } from '#kit/contract/plans.ts'
import type { Advice, Use, WeighedPlan } from './advice.ts'

export function wordsOf(advice: Advice, plan: WeighedPlan): string {
  const use = usedWords(advice.use)
  if (advice.kind === 'less') {
    const { plan: less, savedCents } = advice
    return (
      `${use} **${formatData(less.dataGb)} for ${formatDays(less.lengthDays)} would have been enough each time ` +
      `and costs ${formatPrice(savedCents)} less.**`
    )
  }
  if (advice.kind === 'right') {
    const { longer } = advice
    return (
      `**${formatData(plan.dataGb)} fits you.** ${use}` +
      (longer
        ? ` The same data for ${formatDays(longer.plan.lengthDays)} works out to ` +
          `${formatPrice(pricePer30Days(longer.plan.priceCents, longer.plan.lengthDays))} per 30 days, ` +
          `${formatPrice(longer.savedPer30Cents)} less.`
        : '')
    )
  }
  const { plan: more, morePer30Cents: cents, extraCents, ranOutOfLast } = advice
  const why =
    extraCents > 0
      ? `You bought ${formatPrice(extraCents)} of extra data in your last 3 cycles.`
      : `Your data ran out in ${ranOutOfLast} of your last 3 cycles.`
  const cost =
    cents > 0 ? `costs ${formatPrice(cents)} more` : cents < 0 ? `costs ${formatPrice(-cents)} less` : 'costs the same'
  return `${why} **${formatData(more.dataGb)} ${cost} per 30 days.**`
}

function usedWords({ known, of, lowMb, peakMb, ranOut }: Use): string {
  const which =
    known === of
      ? `in each of your last ${known} data cycles`
      : `in each data cycle we have figures for (${known} of your last ${of})`
  const out = ranOut === 0 ? '' : `, and it ran out in ${ranOut === 1 ? 'one' : ranOut} of them`
  return `You used ${amountWords(lowMb, peakMb)} ${which}${out}.`
}

/** `'9 to 13 GB'`: rounded outwards, so that every known usage lies in the range. */
export function amountWords(lowMb: number, peakMb: number): string {
  if (peakMb === 0) return 'no data'
  const step = peakMb < 1_000 ? 50 : peakMb < 10_000 ? 100 : 1_000
  const [low, high] = [Math.floor(lowMb / step) * step, Math.ceil(peakMb / step) * step]
  const unit = high < 1_000 ? 'MB' : 'GB'
  const figure = (mb: number): string => String(unit === 'MB' ? mb : mb / 1_000)
  return low === high ? `${figure(low)} ${unit}` : `${figure(low)} to ${figure(high)} ${unit}`
}
