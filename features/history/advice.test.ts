import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computePricePer30Days } from '#kit/contract/plans.ts'
import { advisePlan, type Advice, type EndedCycle, type AdviceInput, type ComparedPlan } from './server/advice.ts'
import { formatDataRange, describeAdvice } from './server/advice.labels.ts'

const plan = (dataGb: number, lengthDays: number, priceCents: number): ComparedPlan => ({
  id: `${lengthDays}-${dataGb}`,
  dataGb,
  lengthDays,
  priceCents,
})
const sold = [
  plan(0.5, 7, 600),
  plan(1.5, 7, 900),
  plan(5, 7, 1_300),
  plan(1.5, 90, 4_080),
  plan(5, 90, 5_610),
  plan(15, 90, 9_180),
  plan(25, 90, 10_965),
  plan(60, 90, 15_045),
  plan(25, 180, 20_640),
  plan(25, 365, 38_700),
]
const twentyFive = plan(25, 90, 10_965)
const cycle = (usedGb: number | null, more: Partial<EndedCycle> = {}): EndedCycle => ({
  usedMb: usedGb === null ? null : usedGb * 1_000,
  ranOut: false,
  isWhole: true,
  lengthDays: 90,
  ...more,
})
const out = { ranOut: true }
const said = (cycles: EndedCycle[], { of = twentyFive, extraCents = 0 } = {}) => {
  const advice = advisePlan({ plan: of, cycles, extraCents, offers: sold })
  return advice && describeAdvice(advice, of)
}

describe('plan advice based on past usage', () => {
  test('recommends a smaller plan that would have covered the peak usage', () => {
    expect(said([9.2, 13, 11, 10, 9.8, 12].map((gb) => cycle(gb)))).toBe(
      'You used 9 to 13 GB in each of your last 6 data cycles. ' +
        '**15 GB for 90 days would have been enough each time and costs $17.85 less.**',
    )
    // A 15 GB plan would cover the average usage, but not the peak.
    expect(said([2, 2, 2, 2, 2, 13.1].map((gb) => cycle(gb)))).toMatch(/^\*\*25 GB fits you\.\*\*/)
  })

  test('advises keeping a plan that fits, and says what the same data would cost on a longer plan', () => {
    expect(said([18.4, 22, 20, 19].map((gb) => cycle(gb)))).toBe(
      '**25 GB fits you.** You used 18 to 22 GB in each of your last 4 data cycles. ' +
        'The same data for 365 days works out to $31.81 per 30 days, $4.74 less.',
    )
    expect(said([25, 20, 20].map((gb) => cycle(gb, gb === 25 ? out : {})))).toContain(
      'You used 20 to 25 GB in each of your last 3 data cycles, and it ran out in one of them.',
    )
  })

  test('recommends a larger plan if data ran out in two of the last three cycles, or if extra data cost more than upgrading', () => {
    const usual = cycle(20)
    expect(said([cycle(25, out), usual, cycle(25, out)], { extraCents: 3_500 })).toBe(
      'You bought $35.00 of extra data in your last 3 cycles. **60 GB costs $13.60 more per 30 days.**',
    )
    expect(said([cycle(25, out), cycle(25, out), usual])).toBe(
      'Your data ran out in 2 of your last 3 cycles. **60 GB costs $13.60 more per 30 days.**',
    )
    expect(said([cycle(25, out), usual, usual, cycle(25, out)])).toMatch(/fits you/)
    expect(said([usual, usual, usual], { extraCents: 4_080 })).toMatch(/fits you/)
    expect(said([usual, usual, usual], { extraCents: 4_081 })).toMatch(/^You bought \$40\.81 of extra data/)
    // There is nothing to recommend, because the current plan is too small and no larger plan is on sale.
    expect(said([cycle(60, out), cycle(60, out), usual], { of: plan(60, 90, 15_045) })).toBeNull()
  })

  test('plan advice needs at least three complete cycles with known usage', () => {
    expect(said([cycle(9), cycle(9)])).toBeNull()
    expect(said([cycle(9), cycle(9), cycle(null)])).toBeNull()
    expect(said([cycle(9), cycle(9), cycle(9, { lengthDays: 7 })])).toBeNull()
    expect(said([cycle(9), cycle(9), cycle(3, { isWhole: false })])).toBeNull()
    expect(said([cycle(9), cycle(null), cycle(9), cycle(9)])).toMatch(
      /^You used 9 GB in each data cycle we have figures for \(3 of your last 4\)\. \*\*15 GB/,
    )
    expect(said(Array.from({ length: 20 }, (_, at) => cycle(at < 12 ? 9 : 24)))).toMatch(
      /^You used 9 GB in each of your last 12/,
    )
  })
})

describe('plan advice for randomly generated usage', () => {
  const cycles = fc.array(
    fc.record({
      usedMb: fc.option(fc.integer({ min: 0, max: 70_000 }), { freq: 8 }),
      ranOut: fc.boolean(),
      isWhole: fc.boolean(),
      lengthDays: fc.constantFrom(7, 90, 365),
    }),
    { maxLength: 20 },
  )
  const weighed = fc.record({
    plan: fc.constantFrom(...sold),
    cycles,
    extraCents: fc.integer({ min: 0, max: 10_000 }),
    offers: fc.subarray(sold),
  })

  test('recommends the smallest plan that covers 115% of the peak usage and saves at least $2.00 per 30 days', () => {
    fc.assert(
      fc.property(weighed, (given) => {
        const advice = advisePlan(given)
        if (advice?.kind !== 'less') return true
        const fits = (offer: ComparedPlan) =>
          offer.lengthDays === given.plan.lengthDays &&
          offer.dataGb * 1_000 >= advice.use.peakMb * 1.15 - 1e-6 &&
          computePricePer30Days(given.plan.priceCents, given.plan.lengthDays) -
            computePricePer30Days(offer.priceCents, offer.lengthDays) >=
            200
        return (
          fits(advice.plan) &&
          given.offers.filter(fits).every(({ dataGb }) => dataGb >= advice.plan.dataGb) &&
          advice.savedCents === given.plan.priceCents - advice.plan.priceCents
        )
      }),
    )
  })

  test('if fewer than twelve cycles are known, adding a cycle with the lowest usage so far does not change the plan advice', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 24_000 }), { minLength: 3, maxLength: 11 }), (uses) => {
        const of = (all: number[]) =>
          advisePlan({ plan: twentyFive, cycles: all.map((mb) => cycle(mb / 1_000)), extraCents: 0, offers: sold })
        const [before, after] = [of(uses), of([Math.min(...uses), ...uses])]
        const idOf = (advice: typeof before) => advice && 'plan' in advice && advice.plan.id
        expect(after?.kind).toBe(before?.kind)
        expect(idOf(after)).toBe(idOf(before))
      }),
    )
  })

  const hasCause = (advice: Extract<Advice, { kind: 'more' }>, { plan: from, extraCents }: AdviceInput): boolean => {
    const stepUp = (advice.plan.priceCents - from.priceCents) / from.lengthDays
    const days = 3 * Math.min(30, from.lengthDays)
    return advice.plan.dataGb > from.dataGb && (advice.ranOutOfLast >= 2 || extraCents > stepUp * days - 1e-6)
  }

  test('plan advice uses 3 to 12 cycles, recommends a larger plan only with a reason, and never shows a negative amount', () => {
    fc.assert(
      fc.property(weighed, (given) => {
        const advice = advisePlan(given)
        fc.pre(advice !== null)
        expect(advice.use.known).toBeGreaterThanOrEqual(3)
        expect(advice.use.known).toBeLessThanOrEqual(12)
        expect(advice.kind !== 'more' || hasCause(advice, given)).toBe(true)
        expect(describeAdvice(advice, given.plan)).not.toMatch(/-\d|NaN|undefined|\$0\.00 less/)
      }),
    )
  })

  test('the rounded usage range in the plan advice includes both the lowest and the highest usage', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 90_000 }), (a, b) => {
        const [low, peak] = a < b ? [a, b] : [b, a]
        const words = formatDataRange(low, peak)
        expect(words === 'no data').toBe(peak === 0)
        fc.pre(peak > 0)
        const [, from = '', to = from, unit = ''] = /^([\d.]+)(?: to ([\d.]+))? (GB|MB)$/.exec(words) ?? []
        const factor = unit === 'GB' ? 1_000 : 1
        expect(Number(from) * factor).toBeLessThanOrEqual(low)
        expect(Math.round(Number(to) * factor)).toBeGreaterThanOrEqual(peak)
      }),
    )
  })
})
