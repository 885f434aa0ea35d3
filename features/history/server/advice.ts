import { cycleDays, pricePer30Days } from '#kit/contract/plans.ts'

/** A plan as the advice weighs it. */
export type WeighedPlan = { id: string; dataGb: number; lengthDays: number; priceCents: number }

/** A cycle that has ended; `lengthDays` is its plan's. What nobody knows of is null. */
export type EndedCycle = { usedMb: number | null; ranOut: boolean; isWhole: boolean; lengthDays: number }

export type Weighed = {
  /** What would be renewed with. */
  plan: WeighedPlan
  /** Newest first. */
  cycles: readonly EndedCycle[]
  /** What extra data for use at home has cost in the last three cycles. */
  extraCents: number
  /** All that the customer could choose. */
  offers: readonly WeighedPlan[]
}

/** What the use was: in `known` of the last `of` cycles, from `lowMb` to `peakMb`. */
export type Use = { known: number; of: number; lowMb: number; peakMb: number; ranOut: number }

export type Advice = { use: Use } & (
  | { kind: 'less'; plan: WeighedPlan; savedCents: number }
  | { kind: 'right'; longer: { plan: WeighedPlan; savedPer30Cents: number } | null }
  | { kind: 'more'; plan: WeighedPlan; morePer30Cents: number; extraCents: number; ranOutOfLast: number }
)

/** From so many cycles something is said, and no more than so many are looked at. */
export const [fewest, most] = [3, 12] as const
/** More than was ever used, for the cycle that is to come. */
const room = { numerator: 115, denominator: 100 }
/** What is saved is not worth a change below this. */
const leastSavedPer30 = 200

/**
 * Which plan would have fitted what was used, by the highest use and never by the average: a plan that is too small in one cycle of
 * six is too small. Null while too little is known, and where nothing true can be said.
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

/** Days for which a plan's data is given. */
const rhythmOf = (lengthDays: number): number => Math.min(cycleDays, lengthDays)

/** Data for a week says nothing of a plan for a month; and a cycle that was cut short says something only where its data ran out. */
export const cyclesThatCount = <C extends EndedCycle>(plan: WeighedPlan, cycles: readonly C[]): C[] =>
  cycles
    .filter(
      ({ isWhole, ranOut, lengthDays }) => rhythmOf(lengthDays) === rhythmOf(plan.lengthDays) && (isWhole || ranOut),
    )
    .slice(0, most)

const per30 = ({ priceCents, lengthDays }: WeighedPlan): number => pricePer30Days(priceCents, lengthDays)

const holds = ({ dataGb }: WeighedPlan, peakMb: number): boolean =>
  dataGb * 1000 * room.denominator >= peakMb * room.numerator

/** What so much more for a plan comes to over the last cycles. */
const costOverLast = ({ lengthDays }: WeighedPlan, cents: number): number =>
  (cents * fewest * rhythmOf(lengthDays)) / lengthDays

/** The smallest plan with more data that would have held the use, or the biggest that there is. */
function biggerOf(plan: WeighedPlan, sameLength: readonly WeighedPlan[], peakMb: number): WeighedPlan | null {
  const more = sameLength.filter(({ dataGb }) => dataGb > plan.dataGb)
  return more.find((offer) => holds(offer, peakMb)) ?? more.at(-1) ?? null
}

/** The same data for longer, where that costs less. */
function longerOf(plan: WeighedPlan, offers: readonly WeighedPlan[]) {
  const [best] = offers
    .filter(({ dataGb, lengthDays }) => dataGb === plan.dataGb && lengthDays > plan.lengthDays)
    .map((offer) => ({ plan: offer, savedPer30Cents: per30(plan) - per30(offer) }))
    .filter(({ savedPer30Cents }) => savedPer30Cents > 0)
    .toSorted((a, b) => b.savedPer30Cents - a.savedPer30Cents || a.plan.lengthDays - b.plan.lengthDays)
  return best ?? null
}
