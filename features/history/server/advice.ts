import { cycleLengthDays, computePricePer30Days } from '#kit/contract/plans.ts'

export type ComparedPlan = { id: string; dataGb: number; lengthDays: number; priceCents: number }

/** A data cycle that has ended. `usedMb` is `null` when the usage is not known. `lengthDays` is the plan's length. */
export type EndedCycle = { usedMb: number | null; ranOut: boolean; isWhole: boolean; lengthDays: number }

export type AdviceInput = {
  plan: ComparedPlan
  /** Newest first. */
  cycles: readonly EndedCycle[]
  /** Cents spent on data add-ons, excluding roaming, in the last three cycles whose usage is known. */
  extraCents: number
  offers: readonly ComparedPlan[]
}

/**
 * Usage over the last `of` cycles. `known` is the number of cycles whose usage is known; `lowMb` and `peakMb` are the
 * lowest and highest usage among them, in MB.
 */
export type UsageStatistics = { known: number; of: number; lowMb: number; peakMb: number; ranOut: number }

export type Advice = { use: UsageStatistics } & (
  | { kind: 'less'; plan: ComparedPlan; savedCents: number }
  | { kind: 'right'; longer: { plan: ComparedPlan; savedPer30Cents: number } | null }
  | { kind: 'more'; plan: ComparedPlan; morePer30Cents: number; extraCents: number; ranOutOfLast: number }
)

/** Advice needs at least `minKnownCycles` cycles whose usage is known, and considers at most `maxCyclesConsidered` cycles. */
export const [minKnownCycles, maxCyclesConsidered] = [3, 12] as const
/** A plan must cover 115 percent of the peak usage, which leaves room for a busier cycle. */
const headroom = { numerator: 115, denominator: 100 }
/** A cheaper plan must save at least this many cents per 30 days to be recommended. */
const minSavingPer30Days = 200

/**
 * Recommends a plan based on peak usage rather than the average: a plan that runs out in one cycle of six is too small.
 * Returns `null` when too little usage is known, or when no plan on offer can be recommended.
 */
export function advisePlan({ plan, cycles, extraCents, offers }: AdviceInput): Advice | null {
  const consideredCycles = filterComparableCycles(plan, cycles)
  const knownCycles = consideredCycles.filter((cycle): cycle is KnownCycle => cycle.usedMb !== null)
  if (plan.dataGb <= 0 || knownCycles.length < minKnownCycles) return null
  const usedMbPerCycle = knownCycles.map(({ usedMb }) => usedMb)
  const usage = {
    known: knownCycles.length,
    of: consideredCycles.length,
    lowMb: Math.min(...usedMbPerCycle),
    peakMb: Math.max(...usedMbPerCycle),
    ranOut: knownCycles.filter(({ ranOut }) => ranOut).length,
  }
  const recentRunOutCount = knownCycles.slice(0, minKnownCycles).filter(({ ranOut }) => ranOut).length
  const sameLengthOffers = offers
    .filter(({ id, lengthDays }) => id !== plan.id && lengthDays === plan.lengthDays)
    .toSorted((a, b) => a.dataGb - b.dataGb || a.priceCents - b.priceCents)
  const biggerPlan = findBiggerPlan(plan, sameLengthOffers, usage.peakMb)
  const extraPriceCents = biggerPlan && biggerPlan.priceCents - plan.priceCents
  if (
    recentRunOutCount >= 2 ||
    (extraPriceCents !== null && extraCents > computeCostOverLastCycles(plan, extraPriceCents))
  ) {
    if (!biggerPlan) return null
    const extraCentsPer30Days = priceCentsPer30Days(biggerPlan) - priceCentsPer30Days(plan)
    return {
      kind: 'more',
      use: usage,
      plan: biggerPlan,
      morePer30Cents: extraCentsPer30Days,
      extraCents,
      ranOutOfLast: recentRunOutCount,
    }
  }
  const cheaperPlan = sameLengthOffers.find(
    (offer) =>
      coversUsage(offer, usage.peakMb) && priceCentsPer30Days(plan) - priceCentsPer30Days(offer) >= minSavingPer30Days,
  )
  if (cheaperPlan)
    return { kind: 'less', use: usage, plan: cheaperPlan, savedCents: plan.priceCents - cheaperPlan.priceCents }
  return { kind: 'right', use: usage, longer: findLongerPlan(plan, offers) }
}

type KnownCycle = EndedCycle & { usedMb: number }

const getCycleLength = (lengthDays: number): number => Math.min(cycleLengthDays, lengthDays)

/**
 * Returns the cycles that are comparable with the plan: those that are as long as the plan's own cycles. A cycle that was
 * cut short counts only if its data ran out.
 */
export const filterComparableCycles = <C extends EndedCycle>(plan: ComparedPlan, cycles: readonly C[]): C[] =>
  cycles
    .filter(
      ({ isWhole, ranOut, lengthDays }) =>
        getCycleLength(lengthDays) === getCycleLength(plan.lengthDays) && (isWhole || ranOut),
    )
    .slice(0, maxCyclesConsidered)

const priceCentsPer30Days = ({ priceCents, lengthDays }: ComparedPlan): number =>
  computePricePer30Days(priceCents, lengthDays)

const coversUsage = ({ dataGb }: ComparedPlan, peakMb: number): boolean =>
  dataGb * 1000 * headroom.denominator >= peakMb * headroom.numerator

const computeCostOverLastCycles = ({ lengthDays }: ComparedPlan, cents: number): number =>
  (cents * minKnownCycles * getCycleLength(lengthDays)) / lengthDays

function findBiggerPlan(
  plan: ComparedPlan,
  sameLengthOffers: readonly ComparedPlan[],
  peakMb: number,
): ComparedPlan | null {
  const biggerPlans = sameLengthOffers.filter(({ dataGb }) => dataGb > plan.dataGb)
  return biggerPlans.find((offer) => coversUsage(offer, peakMb)) ?? biggerPlans.at(-1) ?? null
}

function findLongerPlan(plan: ComparedPlan, offers: readonly ComparedPlan[]) {
  const [bestPlan] = offers
    .filter(({ dataGb, lengthDays }) => dataGb === plan.dataGb && lengthDays > plan.lengthDays)
    .map((offer) => ({ plan: offer, savedPer30Cents: priceCentsPer30Days(plan) - priceCentsPer30Days(offer) }))
    .filter(({ savedPer30Cents }) => savedPer30Cents > 0)
    .toSorted((a, b) => b.savedPer30Cents - a.savedPer30Cents || a.plan.lengthDays - b.plan.lengthDays)
  return bestPlan ?? null
}
