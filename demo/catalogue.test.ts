import { describe, expect, test } from 'vitest'
import type { Layout } from '#kit/contract/bootstrap.ts'
import { pricePer30Days } from '#kit/contract/plans.ts'
import { type Catalogue, loadCatalogue, parseCatalogue } from './catalogue.ts'

const catalogue = loadCatalogue()
const plans = catalogue.products.filter((product) => product.product_type === 1)
const addOns = catalogue.products.filter((product) => product.product_type === 2)
const forSale = plans.filter((plan) => plan.sku && !plan.hidden && !plan.new_customer_only)

describe('the demo catalogue', () => {
  test('has plans of five lengths in several sizes, one below 1 GB', () => {
    for (const { length } of catalogue.filters) {
      expect(new Set(forSale.filter((plan) => plan.length_days === length).map((plan) => plan.data_gb)).size).toBeGreaterThanOrEqual(3)
    }
    expect(catalogue.filters.map(({ length }) => length)).toEqual([7, 30, 90, 180, 365])
    expect(forSale.some((plan) => plan.data_gb < 1)).toBe(true)
  })

  test('has the plans that need a rule: for new customers, withdrawn, without a sku, with another price to renew', () => {
    expect(plans.filter((plan) => plan.new_customer_only).length).toBeGreaterThanOrEqual(2)
    expect(plans.some((plan) => plan.hidden)).toBe(true)
    expect(plans.some((plan) => plan.sku === null && !plan.hidden)).toBe(true)
    expect(plans.some((plan) => plan.price_rebill_cents !== null && plan.price_rebill_cents !== plan.price_cents)).toBe(true)
  })

  test('has add-ons for data, minutes, texts and roaming, one below 1 GB', () => {
    expect(addOns.some((addOn) => addOn.data_gb >= 1 && !addOn.roaming)).toBe(true)
    expect(addOns.some((addOn) => addOn.data_gb > 0 && addOn.data_gb < 1)).toBe(true)
    expect(addOns.some((addOn) => addOn.voice_mins > 0 && addOn.data_gb === 0)).toBe(true)
    expect(addOns.some((addOn) => addOn.txt_sms > 0 && addOn.data_gb === 0)).toBe(true)
    expect(addOns.some((addOn) => addOn.roaming && addOn.data_gb > 0)).toBe(true)
  })

  test('is worth more the longer and the bigger a plan is', () => {
    const pairs = forSale.flatMap((one) => forSale.map((other) => [one, other] as const))
    const longer = pairs.filter(([one, other]) => one.data_gb === other.data_gb && one.length_days < other.length_days)
    const bigger = pairs.filter(([one, other]) => one.length_days === other.length_days && one.data_gb < other.data_gb)
    expect(longer.filter(([short, long]) => perMonth(long) >= perMonth(short))).toEqual([])
    expect(bigger.filter(([small, big]) => big.price_cents / big.data_gb >= small.price_cents / small.data_gb)).toEqual([])
    expect(Math.min(longer.length, bigger.length)).toBeGreaterThan(20)
  })

  test('keeps the promises of its promo texts', () => {
    const saved = (plan: (typeof plans)[number]) => 1 - plan.price_cents / (plan.rrp_cents ?? plan.price_cents)
    const ofLength = (length: number) => forSale.filter((plan) => plan.length_days === length)
    expect(catalogue.filters.flatMap(({ length, promo_text }) => (promo_text ? [[length, promo_text]] : []))).toEqual([
      [90, 'SAVE 15%'],
      [365, 'BEST VALUE'],
    ])
    for (const plan of ofLength(90)) expect(saved(plan)).toBeCloseTo(0.15)
    for (const plan of ofLength(365)) expect(saved(plan)).toBeGreaterThan(0.2)
  })

  test('names the donors of both markets', () => {
    expect(catalogue.portingProviders.NZ.map(({ name }) => name)).toContain('Warehouse Mobile')
    expect(catalogue.portingProviders.NZ).toHaveLength(14)
    expect(catalogue.portingProviders.AU.length).toBeGreaterThan(10)
  })

  test('has a layout as the portal reads it', () => {
    const layout: Layout = catalogue.layout
    expect(layout.menus.header.map(({ text }) => text)).toEqual(['Plans', 'Coverage', 'Help'])
    expect(layout.plan_selection_terms.length).toBeGreaterThan(2)
  })
})

const perMonth = (plan: { price_cents: number; length_days: number }): number => pricePer30Days(plan.price_cents, plan.length_days)

describe('a catalogue at fault', () => {
  const welcome = 'welcome-30-25gb'

  /** The catalogue with one product changed. */
  const changed = (uniqueId: string, change: Record<string, unknown>) => ({
    ...catalogue,
    products: catalogue.products.map((product) => (product.unique_id === uniqueId ? { ...product, ...change } : product)),
  })

  test.each([
    [changed(welcome, { price_cents: 21.5 }), /^catalogue: products\.\d+\.price_cents: /],
    [changed(welcome, { price: '21.50' }), /^catalogue: products\.\d+\.price: /],
    [changed(welcome, { unique_id: 'plan-30-25gb' }), 'catalogue: plan-30-25gb is there twice'],
    [changed(welcome, { sku: 'FT-P30-25GB' }), 'catalogue: FT-P30-25GB is there twice'],
    [changed(welcome, { next_product_id: null }), `catalogue: ${welcome} is for new customers only: it has to name the plan that renews`],
    [changed(welcome, { next_product_id: 'gone' }), `catalogue: ${welcome} is followed by gone, which is no plan`],
    [changed(welcome, { next_product_id: 'extra-2gb' }), `catalogue: ${welcome} is followed by extra-2gb, which is no plan`],
    [changed(welcome, { next_product_id: 'welcome-90-15gb' }), `catalogue: ${welcome} is followed by welcome-90-15gb, which is for new customers only`],
    [{ ...catalogue, filters: catalogue.filters.map((filter) => ({ ...filter, position: 50 })) }, 'catalogue: 50 is there twice'],
    [{ ...catalogue, filters: [{ position: 0, length: 14, unit: 'days', promo_text: null }] }, 'catalogue: no plan is 14 days long, but a filter is'],
    [{ ...catalogue, layout: { ...catalogue.layout, faq_url: 'javascript:alert(1)' } }, /^catalogue: layout\.faq_url: /],
    [{ ...catalogue, layout: { ...catalogue.layout, faq_url: '//elsewhere.example' } }, /^catalogue: layout\.faq_url: /],
    [null, /^catalogue: all of it: /],
  ])('%# is refused in one line', (input: unknown, message: string | RegExp) => {
    expect(() => parseCatalogue(input)).toThrow(message)
  })

  test('the same checks pass what is whole', () => {
    expect(parseCatalogue(structuredClone(catalogue)) satisfies Catalogue).toEqual(catalogue)
  })
})
