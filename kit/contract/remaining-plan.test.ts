import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listCycleEnds } from '#kit/server/plan-period.ts'
import { addDays } from './days.ts'
import { computeRemainingPlan } from './remaining-plan.ts'

const long = { startsOn: '2026-10-13', endsOn: '2027-01-11', dataGb: 25 }
const short = { startsOn: '2026-11-16', endsOn: '2026-11-23', dataGb: 0.5 }

describe('computeRemainingPlan: what is left of a plan', () => {
  test("returns a plan's remaining days, the data left and the cycles that have not started", () =>
    expect(computeRemainingPlan(long, '2026-11-22', 17.84)).toEqual({
      days: 50,
      left: 17.84,
      toCome: { times: 1, gb: 25, on: '2026-12-12' },
      gb: 42.84,
    }))

  test.each([
    ['2026-10-13', 90, { times: 2, gb: 25, on: '2026-11-12' }],
    ['2026-11-11', 61, { times: 2, gb: 25, on: '2026-11-12' }],
    ['2026-11-12', 60, { times: 1, gb: 25, on: '2026-12-12' }],
    ['2026-12-11', 31, { times: 1, gb: 25, on: '2026-12-12' }],
    ['2026-12-12', 30, null],
    ['2027-01-10', 1, null],
  ])(
    'on %s the plan has %i days left, and a data cycle that starts that day counts as started',
    (today, days, toCome) =>
      expect(computeRemainingPlan(long, today, 0)).toMatchObject({ days, toCome, gb: (toCome?.times ?? 0) * 25 }),
  )

  test('a plan that has ended has no days and no data left', () => {
    for (const today of ['2027-01-11', '2027-02-20'])
      expect(computeRemainingPlan(long, today, null)).toEqual({ days: 0, left: null, toCome: null, gb: null })
  })

  test('a plan with one cycle has remaining days and data, but no upcoming cycle', () =>
    expect(computeRemainingPlan(short, '2026-11-20', 0.2)).toEqual({ days: 3, left: 0.2, toCome: null, gb: 0.2 }))

  test('a plan without data has remaining days, but no data and no upcoming cycle', () =>
    expect(computeRemainingPlan({ ...long, dataGb: 0 }, '2026-11-22', 0)).toMatchObject({
      days: 50,
      toCome: null,
      gb: 0,
    }))

  test('the total data left in a plan is unknown if the data left in its current cycle is unknown', () =>
    expect(computeRemainingPlan(long, '2026-11-22', null)).toMatchObject({
      left: null,
      toCome: { times: 1 },
      gb: null,
    }))
})

const plan = fc.record({
  startsOn: fc.integer({ min: 0, max: 2_000 }).map((days) => addDays('2026-01-01', days)),
  length: fc.integer({ min: 1, max: 400 }),
  dataGb: fc.constantFrom(0.5, 5, 25, 100),
})
const left = fc.integer({ min: 0, max: 2_500 }).map((hundredths) => hundredths / 100)

test("a plan's remaining days decrease by one each day, and a cycle that has started no longer counts as upcoming", () =>
  fc.assert(
    fc.property(plan, left, fc.nat(420), ({ startsOn, length, dataGb }, inHand, gone) => {
      const today = addDays(startsOn, gone)
      const rest = computeRemainingPlan({ startsOn, endsOn: addDays(startsOn, length), dataGb }, today, inHand)
      expect(rest.days).toBe(Math.max(0, length - gone))
      const begun = listCycleEnds(Temporal.PlainDate.from(startsOn), length)
        .slice(0, -1)
        .map((day) => day.toString())
      const toCome = gone < length ? begun.filter((day) => day > today) : []
      expect(rest.toCome).toEqual(toCome[0] ? { times: toCome.length, gb: dataGb, on: toCome[0] } : null)
      expect(rest.gb).toBeCloseTo(inHand + toCome.length * dataGb)
    }),
  ))
