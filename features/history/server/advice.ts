import { cycleDays, pricePer30Days } from '#kit/contract/plans.ts'

export type WeighedPlan = { id: string; dataGb: number; lengthDays: number; priceCents: number }

/** An ended cycle. `usedMb` is `null` when it is not known; `lengthDays` is the length of its plan. */
export type EndedCycle = { usedMb: number | null; ranOut: boolean; isWhole: boolean; lengthDays: number }

export type Weighed = {
  plan: WeighedPlan
  /** Newest first. */
  cycles: readonly EndedCycle[]
  /** Cents spent on extra data for home use in the last three cycles. */
  extraCents: number
  offers: readonly WeighedPlan[]
}

/** Usage in MB: known for `known` of the last `of` cycles, between `lowMb` and `peakMb`. */
export type Use = { known: number; of: number; lowMb: number; peakMb: number; ranOut: number }

export type Advice = { use: Use } & (
  | { kind: 'less'; plan: WeighedPlan; savedCents: number }
  | { kind: 'right'; longer: { plan: WeighedPlan; savedPer30Cents: number } | null }
  | { kind: 'more'; plan: WeighedPlan; morePer30Cents: number; extraCents: number; ranOutOfLast: number }
)

/** The minimum number of known cycles for any advice, and the maximum number of cycles considered. */
export const [fewest, most] = [3, 12] as const
/** A plan must hold 115 percent of the peak usage, to leave room for the next cycle. */
const room = { numerator: 115, denominator: 100 }
/** Minimum saving per 30 days, in cents, for which a change of plan is recommended. */
const leastSavedPer30 = 200

/**
 * Recommends a plan by the peak usage, never by the average: a plan that is too small in one cycle of six is too small.
 * `null` while too little is known, or when no reliable statement is possible.
 */
export function advise({ plan, cycles, extraCents, offers }: Weighed): Advice | null {
  const counted = cyclesThatCount(plan, cycles)
  const known = counted.filter((cycle): cycle is KnownCycle => cycle.usedMb !== null)
  if (plan.dataGb <= 0 || known.length < fewest) return null
  const used = known.map(({ usedMb }) => usedMb)
  const use = {
    known: known.length,
    of: counted.length,
    lowMb: Math.min(...used),
    peakMb: Math.max(...used),
    ranOut: known.filter(({ ranOut }) => ranOut).length,
  }
  const ranOutOfLast = known.slice(0, fewest).filter(({ ranOut }) => ranOut).length
  const sameLength = offers
    .filter(({ id, lengthDays }) => id !== plan.id && lengthDays === plan.lengthDays)
    .toSorted((a, b) => a.dataGb - b.dataGb || a.priceCents - b.priceCents)
  const bigger = biggerOf(plan, sameLength, use.peakMb)
  const stepUp = bigger && bigger.priceCents - plan.priceCents
  if (ranOutOfLast >= 2 || (stepUp !== null && extraCents > costOverLast(plan, stepUp))) {
    if (!bigger) return null
    const morePer30Cents = per30(bigger) - per30(plan)
    return { kind: 'more', use, plan: bigger, morePer30Cents, extraCents, ranOutOfLast }
  }
  const less = sameLength.find((offer) => holds(offer, use.peakMb) && per30(plan) - per30(offer) >= leastSavedPer30)
  if (less) return { kind: 'less', use, plan: less, savedCents: plan.priceCents - less.priceCents }
  return { kind: 'right', use, longer: longerOf(plan, offers) }
}

type KnownCycle = EndedCycle & { usedMb: number }

const rhythmOf = (lengthDays: number): number => Math.min(cycleDays, lengthDays)

/**
 * Cycles that can be compared with the plan: their data is granted at the same interval. A cycle that was cut short
 * only counts if its data ran out.
 */
export const cyclesThatCount = <C extends EndedCycle>(plan: WeighedPlan, cycles: readonly C[]): C[] =>
  cycles
    .filter(
      ({ isWhole, ranOut, lengthDays }) => rhythmOf(lengthDays) === rhythmOf(plan.lengthDays) && (isWhole || ranOut),
    )
    .slice(0, most)

const per30 = ({ priceCents, lengthDays }: WeighedPlan): number => pricePer30Days(priceCents, lengthDays)

const holds = ({ dataGb }: WeighedPlan, peakMb: number): boolean =>
  dataGb * 1000 * room.denominator >= peakMb * room.numerator

const costOverLast = ({ lengthDays }: WeighedPlan, cents: number): number =>
  (cents * fewest * rhythmOf(lengthDays)) / lengthDays

function biggerOf(plan: WeighedPlan, sameLength: readonly WeighedPlan[], peakMb: number): WeighedPlan | null {
  const more = sameLength.filter(({ dataGb }) => dataGb > plan.dataGb)
  return more.find((offer) => holds(offer, peakMb)) ?? more.at(-1) ?? null
}

function longerOf(plan: WeighedPlan, offers: readonly WeighedPlan[]) {
  const [best] = offers
    .filter(({ dataGb, lengthDays }) => dataGb === plan.dataGb && lengthDays > plan.lengthDays)
    .map((offer) => ({ plan: offer, savedPer30Cents: per30(plan) - per30(offer) }))
    .filter(({ savedPer30Cents }) => savedPer30Cents > 0)
    .toSorted((a, b) => b.savedPer30Cents - a.savedPer30Cents || a.plan.lengthDays - b.plan.lengthDays)
  return best ?? null
}
