import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getMidnight } from '#kit/server/plan-period.ts'
import { type CycleUsage, type Forecast, createForecast, toVerdict } from './forecast.ts'
import { describeForecast } from './forecast.present.ts'

const zone = 'Pacific/Auckland'
const at = (local: string) => Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant()
const day = (text: string) => Temporal.PlainDate.from(text)

type Case = { use?: Partial<CycleUsage>; now?: string; isFinalCycle?: boolean }

function useOf({ use, now = '2026-11-22T20:58' }: Case): CycleUsage {
  const boundaries = {
    cycleStartsAt: getMidnight(day('2026-11-12'), zone),
    cycleEndsAt: getMidnight(day('2026-12-12'), zone),
  }
  return { totalMb: 25_000, leftMb: 17_840, ...boundaries, readAt: at(now), ...use }
}

function said(one: Case): string | null {
  const now = at(one.now ?? '2026-11-22T20:58')
  const use = useOf(one)
  const found = createForecast(use, { now, zone })
  const endsOn = use.cycleEndsAt.toZonedDateTimeISO(zone).toPlainDate()
  return found && describeForecast(found, { totalMb: use.totalMb, endsOn, isFinalCycle: one.isFinalCycle ?? false })
}

const left = (leftMb: number): Case => ({ use: { leftMb } })

describe('usage forecast for a data cycle', () => {
  test.each<[string, Case]>([
    ['At about **0.65 GB** a day your data should last until it renews on 12 Dec 2026.', left(17_840)],
    [
      'At about **0.3 GB** a day your data lasts until it renews on 12 Dec 2026, with about 15 GB to spare.',
      left(21_500),
    ],
    ['At about **0.95 GB** a day your data may run out shortly before it renews on 12 Dec 2026.', left(14_500)],
    ['At about **1.4 GB** a day your data runs out around **29 Nov 2026**, about 13 days early.', left(9_500)],
    [
      'At less than **50 MB** a day your data lasts until it renews on 12 Dec 2026, with about 24.5 GB to spare.',
      left(24_900),
    ],
    [
      'At about **50 MB** a day your data lasts until it renews on 12 Dec 2026, with about 23 GB to spare.',
      left(24_400),
    ],
    [
      'At about **0.3 GB** a day your data lasts until your plan ends, with about 15 GB to spare.',
      { ...left(21_500), isFinalCycle: true },
    ],
    [
      'At about **50 MB** a day your data runs out around **24 Nov 2026**, about 18 days early.',
      { use: { totalMb: 500, leftMb: 50 } },
    ],
  ])('writes the usage forecast: %s', (text, one) => expect(said(one)).toBe(text))

  test('during the first days of a cycle, the usage forecast shows only how much data is used per day', () => {
    const onDay = (now: string) => said({ now, use: { leftMb: 23_000, readAt: at(now) } })
    expect(onDay('2026-11-13T23:00')).toBeNull()
    expect(onDay('2026-11-14T12:00')).toBe('You use about **0.8 GB** a day.')
    expect(onDay('2026-11-17T12:00')).toBe('You use about **0.35 GB** a day.')
    expect(onDay('2026-11-18T12:00')).toContain('your data lasts')
  })

  test('in a cycle of seven days, the usage forecast says from the third day on how long the data will last', () => {
    const week = { cycleEndsAt: getMidnight(day('2026-11-19'), zone), totalMb: 1_500, leftMb: 850 }
    expect(said({ now: '2026-11-13T20:00', use: { ...week, readAt: at('2026-11-13T20:00') } })).toBeNull()
    expect(said({ now: '2026-11-14T20:00', use: { ...week, readAt: at('2026-11-14T20:00') } })).toContain(
      'your data may run out shortly before it renews on 19 Nov 2026',
    )
  })

  test.each<[string, Case]>([
    ['nothing has been used', left(25_000)],
    ['nothing is left', left(0)],
    ['more data is left than the plan has', left(26_000)],
    ['the plan has no data', { use: { totalMb: 0, leftMb: 0 } }],
    ['it is the last day of the cycle', { now: '2026-12-11T00:00', use: { readAt: at('2026-12-11T00:00') } }],
    ['the reading is older than six hours', { use: { readAt: at('2026-11-22T14:57') } }],
  ])('gives no usage forecast when %s', (_, one) => expect(said(one)).toBeNull())

  test('a usage forecast can be based on a reading that is six hours old', () =>
    expect(said({ use: { readAt: at('2026-11-22T14:58') } })).toContain('should last'))

  test('the usage forecast counts local days correctly across a daylight saving change', () => {
    const spring = {
      cycleStartsAt: getMidnight(day('2026-09-10'), zone),
      cycleEndsAt: getMidnight(day('2026-10-10'), zone),
    }
    expect(
      said({ now: '2026-09-16T00:00', use: { ...spring, leftMb: 24_000, readAt: at('2026-09-16T00:00') } }),
    ).toContain('until it renews on 10 Oct 2026')
  })
})

const anyUse = fc.record({
  totalMb: fc.integer({ min: 100, max: 500_000 }),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  cycleDays: fc.constantFrom(7, 10, 11, 28, 30, 35),
  minute: fc.integer({ min: 0, max: 35 * 1440 }),
  ageMinutes: fc.integer({ min: 0, max: 400 }),
})

type AnyUse = Parameters<Parameters<typeof anyUse.map>[0]>[0]

function placed({ totalMb, part, cycleDays, minute, ageMinutes }: AnyUse) {
  const start = day('2026-09-10')
  const cycleStartsAt = getMidnight(start, zone)
  const cycleEndsAt = getMidnight(start.add({ days: cycleDays }), zone)
  const now = cycleStartsAt.add({ minutes: minute % (cycleDays * 1440 - 60) })
  const readAt = now.subtract({ minutes: Math.min(ageMinutes, minute % (cycleDays * 1440 - 60)) })
  const use = { totalMb, leftMb: totalMb * part, cycleStartsAt, cycleEndsAt, readAt }
  return { use, now, endsOn: start.add({ days: cycleDays }), today: now.toZonedDateTimeISO(zone).toPlainDate() }
}

describe('usage forecasts for random usage', () => {
  test('a usage forecast is a well-formed sentence, and its date is between today and the end of the cycle', () => {
    const sentence =
      /^(You use|At) (about|less than) \*\*[\d.]+ [GM]B\*\* a day(\.| your data (lasts|should last|may run out|runs out) .+\.)$/
    fc.assert(
      fc.property(anyUse, fc.boolean(), (any, isFinalCycle) => {
        const { use, now, endsOn, today } = placed(any)
        const found = createForecast(use, { now, zone })
        if (!found) return
        const text = describeForecast(found, { totalMb: use.totalMb, endsOn, isFinalCycle })
        expect(text).toMatch(sentence)
        expect(text).not.toMatch(/NaN|Infinity|undefined|about 0 |\d\.\d{3}/)
        expect(Temporal.PlainDate.compare(found.runsOutOn, today)).toBeGreaterThanOrEqual(0)
        expect(Temporal.PlainDate.compare(found.runsOutOn, endsOn)).toBeLessThanOrEqual(0)
        expect(found.verdict === 'runs-out' ? found.daysEarly : 1).toBeGreaterThanOrEqual(1)
        expect(found.spareMb >= -1e-6).toBe(
          found.verdict === null ? found.spareMb >= -1e-6 : /last/.test(found.verdict),
        )
        expect(found.spareMb).toBeLessThanOrEqual(use.leftMb)
      }),
      { numRuns: 2_000 },
    )
  })

  test('more remaining data never leads to a worse usage forecast', () => {
    const order = ['runs-out', 'may-run-out', 'should-last', 'lasts']
    fc.assert(
      fc.property(anyUse, fc.double({ min: 0, max: 1, noNaN: true }), (any, more) => {
        const { use, now } = placed(any)
        const richer = { ...use, leftMb: use.leftMb + (use.totalMb - use.leftMb) * more }
        const [one, other] = [createForecast(use, { now, zone }), createForecast(richer, { now, zone })]
        if (!one?.verdict || !other?.verdict) return
        expect(order.indexOf(other.verdict)).toBeGreaterThanOrEqual(order.indexOf(one.verdict))
        expect(Temporal.PlainDate.compare(other.runsOutOn, one.runsOutOn)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 2_000 },
    )
  })

  test('there is no usage forecast on the first two days or the last day of a cycle', () => {
    fc.assert(
      fc.property(anyUse, (any) => {
        const { use, now, endsOn, today } = placed(any)
        const dayOfCycle = any.cycleDays - today.until(endsOn, { largestUnit: 'days' }).days + 1
        if (dayOfCycle > 2 && dayOfCycle < any.cycleDays) return
        expect(createForecast(use, { now, zone })).toBeNull()
      }),
      { numRuns: 2_000 },
    )
  })
})

test.each([
  [1.5, 'lasts'],
  [1.499, 'should-last'],
  [1, 'should-last'],
  [0.999, 'may-run-out'],
  [0.7, 'may-run-out'],
  [0.699, 'runs-out'],
] as const)('data that lasts %d times as long as the rest of the cycle gets the verdict %s', (ratio, verdict) =>
  expect(toVerdict(ratio)).toBe(verdict),
)

test('on the third day, the usage forecast says how long the data will last in a 10-day cycle, but not in an 11-day cycle', () => {
  const now = '2026-11-14T20:00'
  const tenDays = { cycleEndsAt: getMidnight(day('2026-11-22'), zone), readAt: at(now) }
  const elevenDays = { cycleEndsAt: getMidnight(day('2026-11-23'), zone), readAt: at(now) }
  expect(said({ now, use: tenDays })).toContain('your data')
  expect(said({ now, use: elevenDays })).not.toContain('your data')
})

describe('wording of a usage forecast', () => {
  const cycle = { totalMb: 25_000, endsOn: day('2026-12-12'), isFinalCycle: false }
  const text = (change: Partial<Forecast>, totalMb = cycle.totalMb) =>
    describeForecast(
      { paceMb: 700, verdict: 'lasts', spareMb: 5_000, runsOutOn: day('2026-12-11'), daysEarly: 1, ...change },
      { ...cycle, totalMb },
    )

  test('the usage forecast says "a day early" when data runs out one day early', () => {
    expect(text({ verdict: 'runs-out' })).toMatch(/, about a day early\.$/)
    expect(text({ verdict: 'runs-out', daysEarly: 2 })).toMatch(/, about 2 days early\.$/)
  })

  test('the usage forecast does not mention spare data if less than 500 MB would be left', () => {
    expect(text({ spareMb: 499 })).toBe('At about **0.7 GB** a day your data lasts until it renews on 12 Dec 2026.')
    expect(text({ spareMb: 500 })).toMatch(/with about 0\.5 GB to spare\.$/)
  })

  test('the usage forecast shows amounts in MB for a plan that is sold in MB', () => {
    expect(text({ verdict: null, paceMb: 150 }, 999)).toBe('You use about **150 MB** a day.')
    expect(text({ verdict: null, paceMb: 150 }, 1_000)).toBe('You use about **0.15 GB** a day.')
    expect(text({ verdict: null, paceMb: 100 })).toBe('You use about **0.1 GB** a day.')
  })
})
