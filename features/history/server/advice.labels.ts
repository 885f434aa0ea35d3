import { formatPrice } from '#kit/contract/money.ts'
import { formatDataAmount, formatDays, computePricePer30Days } from '#kit/contract/plans.ts'
import type { Advice, UsageStatistics, ComparedPlan } from './advice.ts'

export function describeAdvice(advice: Advice, plan: ComparedPlan): string {
  const usageText = describeUsage(advice.use)
  if (advice.kind === 'less') {
    const { plan: cheaperPlan, savedCents } = advice
    return (
      `${usageText} **${formatDataAmount(cheaperPlan.dataGb)} for ${formatDays(cheaperPlan.lengthDays)} would have been enough each time ` +
      `and costs ${formatPrice(savedCents)} less.**`
    )
  }
  if (advice.kind === 'right') {
    const { longer } = advice
    return (
      `**${formatDataAmount(plan.dataGb)} fits you.** ${usageText}` +
      (longer
        ? ` The same data for ${formatDays(longer.plan.lengthDays)} works out to ` +
          `${formatPrice(computePricePer30Days(longer.plan.priceCents, longer.plan.lengthDays))} per 30 days, ` +
          `${formatPrice(longer.savedPer30Cents)} less.`
        : '')
    )
  }
  const { plan: biggerPlan, morePer30Cents: cents, extraCents, ranOutOfLast } = advice
  const reasonSentence =
    extraCents > 0
      ? `You bought ${formatPrice(extraCents)} of extra data in your last 3 cycles.`
      : `Your data ran out in ${ranOutOfLast} of your last 3 cycles.`
  const priceComparison =
    cents > 0 ? `costs ${formatPrice(cents)} more` : cents < 0 ? `costs ${formatPrice(-cents)} less` : 'costs the same'
  return `${reasonSentence} **${formatDataAmount(biggerPlan.dataGb)} ${priceComparison} per 30 days.**`
}

function describeUsage({ known, of, lowMb, peakMb, ranOut }: UsageStatistics): string {
  const cycleCountClause =
    known === of
      ? `in each of your last ${known} data cycles`
      : `in each data cycle we have figures for (${known} of your last ${of})`
  const runOutClause = ranOut === 0 ? '' : `, and it ran out in ${ranOut === 1 ? 'one' : ranOut} of them`
  return `You used ${formatDataRange(lowMb, peakMb)} ${cycleCountClause}${runOutClause}.`
}

/** A range such as `'9 to 13 GB'`, rounded outwards so that it includes the lowest and highest usage. */
export function formatDataRange(lowMb: number, peakMb: number): string {
  if (peakMb === 0) return 'no data'
  const step = peakMb < 1_000 ? 50 : peakMb < 10_000 ? 100 : 1_000
  const [low, high] = [Math.floor(lowMb / step) * step, Math.ceil(peakMb / step) * step]
  const unit = high < 1_000 ? 'MB' : 'GB'
  const formatFigure = (mb: number): string => String(unit === 'MB' ? mb : mb / 1_000)
  return low === high ? `${formatFigure(low)} ${unit}` : `${formatFigure(low)} to ${formatFigure(high)} ${unit}`
}
