import { describe, expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { readProvider } from '#app/provider/read-provider.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { choosePlanRoles } from './plan-roles.ts'

const fantailProducts = fantailProvider.catalogue.products as ProductRow[]
const tuiProducts = readProvider('demo/providers/tui', markets.NZ).catalogue.products as ProductRow[]

const aPlan = fantailProducts.find(({ unique_id }) => unique_id === 'plan-30-5gb')!
const plan = (unique_id: string, changes: Partial<ProductRow>): ProductRow => ({ ...aPlan, unique_id, ...changes })

const rolesOf = (products: ProductRow[]) =>
  Object.fromEntries(Object.entries(choosePlanRoles(products) ?? {}).map(([role, { unique_id }]) => [role, unique_id]))

describe('choosing the plans of the demo’s stories by role', () => {
  test('the Fantail catalogue has a different plan for each role', () =>
    expect(rolesOf(fantailProducts)).toEqual({
      cheapest: 'plan-30-1-5gb',
      usual: 'plan-30-15gb',
      dearest: 'plan-30-60gb',
      shortest: 'plan-7-500mb',
      longest: 'plan-365-15gb',
    }))

  test('the Tūī catalogue has a plan for each role', () =>
    expect(rolesOf(tuiProducts)).toEqual({
      cheapest: 'chirp-30-3gb',
      usual: 'song-30-12gb',
      dearest: 'chorus-30-50gb',
      shortest: 'chirp-7-1gb',
      longest: 'song-180-12gb',
    }))

  test('a single plan of any length has every role', () => {
    for (const length_days of [1, 30, 365])
      expect(new Set(Object.values(rolesOf([plan('only', { length_days })])))).toEqual(new Set(['only']))
  })

  test('without a plan of 30 days, the usual plan has the length nearest to 30 days', () => {
    const usualOf = (...lengths: number[]) =>
      choosePlanRoles(lengths.map((length_days) => plan(`p-${length_days}`, { length_days })))?.usual.length_days
    expect([usualOf(14, 28, 120), usualOf(7, 90), usualOf(1, 2), usualOf(180, 365)]).toEqual([28, 90, 2, 180])
  })

  test('plans that are not on sale, cost nothing or are only for new customers get a role only if there is nothing else', () => {
    const hidden = plan('hidden', { hidden: true, price_cents: 1 })
    const unsold = plan('unsold', { sku: null, price_cents: 1 })
    const welcome = plan('welcome', { new_customer_only: true, price_cents: 1 })
    const gift = plan('gift', { price_cents: 0 })
    expect(rolesOf([hidden, unsold, welcome, gift, aPlan])['cheapest']).toBe('plan-30-5gb')
    expect(rolesOf([hidden, unsold, welcome, gift])['cheapest']).toBe('gift')
    expect(rolesOf([hidden, unsold, welcome])['cheapest']).toBe('welcome')
    expect(choosePlanRoles([hidden, unsold])).toBeNull()
  })
})
