import { describe, expect, test } from 'vitest'
import { simulateLineUsage } from './line-usage.ts'
import { createEmptyState, type Line, type Product, type ProductTerms, type Sim } from './state.ts'

const zone = 'Pacific/Auckland'
const at = (text: string): number => Temporal.ZonedDateTime.from(`${text}[${zone}]`).epochMilliseconds
const iso = (text: string): string => new Date(at(text)).toISOString()

const plan: ProductTerms = { sku: 'P90', kind: 'plan', lengthDays: 90, dataMb: 5_000, voiceMinutes: 0, messages: 0 }
const addon: ProductTerms = { sku: 'X', kind: 'addon', lengthDays: 7, dataMb: 1_000, voiceMinutes: 100, messages: 0 }
const started = (sku: string, text: string): Product => ({ sku, startsAt: iso(text), orderId: `${sku}-${text}` })

function lived(
  now: string,
  {
    plans = [started('P90', '2026-11-21T14:00')],
    addons = [] as Product[],
    uses = [] as Sim['uses'],
    habits = 'none' as Sim['habits'],
  } = {},
) {
  const state = createEmptyState()
  for (const terms of [plan, addon, { ...plan, sku: 'P30', lengthDays: 30 }]) state.products.set(terms.sku, terms)
  const line: Line = { numbers: ['64210000001'], plans, addons }
  const sim: Sim = {
    iccid: '8964010000000000011',
    packMsisdn: '64210000001',
    behaviour: 'ok',
    activations: 1,
    habits,
    uses,
    line,
  }
  return simulateLineUsage(state, { sim, line }, at(now), zone)
}
const use = (text: string, amount: number) => ({ at: at(text), type: 'data' as const, amount, destination: null })
const left = (result: ReturnType<typeof lived>) => result.buckets.map(({ usageType, left }) => [usageType, left])

describe('a plan’s data allowance on the network simulator', () => {
  test('a plan’s data allowance is reset at local midnight after thirty days, however much was left', () => {
    const uses = [use('2026-11-22T10:00', 1_234.5)]
    expect(left(lived('2026-12-20T23:59', { uses }))).toEqual([['data', 3_765.5]])
    expect(left(lived('2026-12-21T00:00', { uses }))).toEqual([['data', 5_000]])
  })

  test('a plan’s data can no longer be used once the plan has ended', () => {
    expect(left(lived('2027-02-18T23:59'))).toEqual([['data', 5_000]])
    expect(left(lived('2027-02-19T00:00'))).toEqual([])
  })

  test('a renewal ends the old plan’s data as soon as the new plan starts', () => {
    const plans = [started('P90', '2026-11-21T14:00'), started('P30', '2026-12-01T09:00')]
    const uses = [use('2026-11-30T10:00', 4_000), use('2026-12-02T10:00', 100)]
    expect(left(lived('2026-12-03T00:00', { plans, uses }))).toEqual([['data', 4_900]])
  })

  test('a plan’s data is used before an add-on’s, and nothing is used once both have run out', () => {
    const addons = [started('X', '2026-11-22T00:00')]
    const uses = [use('2026-11-23T10:00', 4_500), use('2026-11-23T11:00', 700), use('2026-11-23T12:00', 9_999)]
    const result = lived('2026-11-24T00:00', { addons, uses })
    expect(left(result)).toEqual([
      ['data', 0],
      ['data', 0],
      ['voice', 100],
    ])
    expect(result.uses.map(({ amount }) => amount)).toEqual([4_500, 700, 800])
  })

  test('a plan whose SKU is unknown to the network has no data allowance', () =>
    expect(left(lived('2026-12-01T00:00', { plans: [started('?', '2026-11-21T14:00')] }))).toEqual([]))
})

describe('simulated usage habits', () => {
  test('the simulated usage for a day is always the same, whenever and however often it is read', () => {
    const early = lived('2026-11-30T00:00', { habits: 'typical' }).uses
    const late = lived('2027-01-30T00:00', { habits: 'typical' }).uses
    expect(early.length).toBeGreaterThan(20)
    expect(late.slice(0, early.length)).toEqual(early)
  })

  test('simulated usage matches the drop in the balance to within a hundredth of a MB', () => {
    const { buckets, uses } = lived('2026-12-12T18:00', { habits: 'typical' })
    const used = uses.filter(({ type }) => type === 'data').reduce((sum, { amount }) => sum + amount, 0)
    expect(buckets[0]!.left).toBeCloseTo(5_000 - used, 6)
    expect(uses.every(({ at: instant }) => instant > at('2026-11-21T14:00') && instant <= at('2026-12-12T18:00'))).toBe(
      true,
    )
  })

  test('usage is also simulated on days when daylight saving ends', () => {
    const plans = [started('P90', '2027-03-20T08:00')]
    expect(lived('2027-04-10T12:00', { plans, habits: 'typical' }).uses.length).toBeGreaterThan(60)
  })
})
