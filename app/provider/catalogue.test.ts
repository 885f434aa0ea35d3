import { describe, expect, test } from 'vitest'
import { computePricePer30Days } from '#kit/contract/plans.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { openJson } from '#kit/server/config/json-file.ts'
import { parseCatalogue, parseDonors } from './catalogue.ts'

const { catalogue } = fantailProvider
const plans = catalogue.products.filter((product) => product.product_type === 1)
const addOns = catalogue.products.filter((product) => product.product_type === 2)
const forSale = plans.filter((plan) => plan.sku && !plan.hidden && !plan.new_customer_only)

describe('the demo’s catalogue', () => {
  test('the demo sells plans of five lengths in at least three sizes, one of them below 1 GB', () => {
    for (const { length } of catalogue.filters) {
      expect(
        new Set(forSale.filter((plan) => plan.length_days === length).map((plan) => plan.data_gb)).size,
      ).toBeGreaterThanOrEqual(3)
    }
    expect(catalogue.filters.map(({ length }) => length)).toEqual([7, 30, 90, 180, 365])
    expect(forSale.some((plan) => plan.data_gb < 1)).toBe(true)
  })

  test('the demo has plans for new customers, hidden plans, plans without a SKU and plans with a renewal price', () => {
    expect(plans.filter((plan) => plan.new_customer_only).length).toBeGreaterThanOrEqual(2)
    expect(plans.some((plan) => plan.hidden)).toBe(true)
    expect(plans.some((plan) => plan.sku === null && !plan.hidden)).toBe(true)
    expect(plans.some((plan) => plan.price_rebill_cents !== null && plan.price_rebill_cents !== plan.price_cents)).toBe(
      true,
    )
  })

  test('the demo has add-ons for data, minutes, texts and roaming, one of them below 1 GB', () => {
    expect(addOns.some((addOn) => addOn.data_gb >= 1 && !addOn.roaming)).toBe(true)
    expect(addOns.some((addOn) => addOn.data_gb > 0 && addOn.data_gb < 1)).toBe(true)
    expect(addOns.some((addOn) => addOn.voice_mins > 0 && addOn.data_gb === 0)).toBe(true)
    expect(addOns.some((addOn) => addOn.txt_sms > 0 && addOn.data_gb === 0)).toBe(true)
    expect(addOns.some((addOn) => addOn.roaming && addOn.data_gb > 0)).toBe(true)
  })

  test('the demo’s longer plans are cheaper per month, and its larger plans are cheaper per GB', () => {
    const pairs = forSale.flatMap((one) => forSale.map((other) => [one, other] as const))
    const longer = pairs.filter(([one, other]) => one.data_gb === other.data_gb && one.length_days < other.length_days)
    const bigger = pairs.filter(([one, other]) => one.length_days === other.length_days && one.data_gb < other.data_gb)
    expect(longer.filter(([short, long]) => perMonth(long) >= perMonth(short))).toEqual([])
    expect(bigger.filter(([small, big]) => big.price_cents / big.data_gb >= small.price_cents / small.data_gb)).toEqual(
      [],
    )
    expect(Math.min(longer.length, bigger.length)).toBeGreaterThan(20)
  })

  test('the demo’s prices match what its promotions promise', () => {
    const saved = (plan: (typeof plans)[number]) => 1 - plan.price_cents / (plan.rrp_cents ?? plan.price_cents)
    const ofLength = (length: number) => forSale.filter((plan) => plan.length_days === length)
    expect(catalogue.filters.flatMap(({ length, promo_text }) => (promo_text ? [[length, promo_text]] : []))).toEqual([
      [90, 'SAVE 15%'],
      [365, 'BEST VALUE'],
    ])
    for (const plan of ofLength(90)) expect(saved(plan)).toBeCloseTo(0.15, 10)
    for (const plan of ofLength(365)) expect(saved(plan)).toBeGreaterThan(0.2)
  })
})

const perMonth = (plan: { price_cents: number; length_days: number }): number =>
  computePricePer30Days(plan.price_cents, plan.length_days)

type Product = Record<string, unknown>
type Files = {
  'plans.json': Product[]
  'add-ons.json': Product[]
  'filters.json': unknown[]
  'porting-providers.json': Record<string, unknown>
}

const plan = (change: Product = {}): Product => ({
  unique_id: 'small',
  sku: 'S',
  product_type: 1,
  title: 'Small',
  length_days: 30,
  price_cents: 1_000,
  rrp_cents: null,
  price_rebill_cents: null,
  colour: '#0b5f57',
  sort_order: 1,
  data_gb: 1,
  voice_mins: 0,
  txt_sms: 0,
  roaming: false,
  new_customer_only: false,
  next_product_id: null,
  code: 'S',
  hidden: false,
  tax_class: 'standard',
  ...change,
})
const addOn = plan({ unique_id: 'extra', sku: 'X', code: 'X', product_type: 2 })
const filter = { position: 0, length: 30, unit: 'days', promo_text: null }
const whole: Files = {
  'plans.json': [plan()],
  'add-ons.json': [addOn],
  'filters.json': [filter],
  'porting-providers.json': { NZ: [{ id: 'spark', name: 'Spark' }] },
}

function faultsOf(files: Partial<Files>, market: 'NZ' | 'AU' = 'NZ'): string[] {
  const faults: string[] = []
  const texts: Record<string, unknown> = { ...whole, ...files }
  const open = (file: string) =>
    openJson(file, JSON.stringify(texts[file]), (line) => faults.push(line.replace(': line 1: ', ': ')))
  parseCatalogue(open)
  parseDonors(open('porting-providers.json'), market)
  return faults
}

describe('errors in a provider’s catalogue files', () => {
  const second = (change: Product) => ({
    'plans.json': [plan(), plan({ unique_id: 'big', sku: 'B', code: 'B', ...change })],
  })
  const toBeNew = { new_customer_only: true }

  test.each([
    [second({ price_cents: 21.5 }), 'plans.json: 1.price_cents: must be a whole number, not 21.5.'],
    [
      second({ price_cents: 0 }),
      'plans.json: 1.price_cents: big would cost nothing. If it is meant to be free, add "free": true.',
    ],
    [
      { 'add-ons.json': [{ ...addOn, price_rebill_cents: 0 }] },
      'add-ons.json: 0.price_rebill_cents: extra would cost nothing. If it is meant to be free, add "free": true.',
    ],
    [second({ free: true }), 'plans.json: 1.free: big is marked as free, but none of its prices is 0.'],
    [second({ price_cents: -1 }), 'plans.json: 1.price_cents: must be 0 at least, not -1.'],
    [second({ price_cents: '21.50' }), 'plans.json: 1.price_cents: must be a number, not "21.50".'],
    [second({ price: '21.50' }), 'plans.json: 1.price: is unknown.'],
    [second({ title: undefined }), 'plans.json: 1.title: is missing.'],
    [second({ title: '' }), 'plans.json: 1.title: must not be empty.'],
    [second({ hidden: 'no' }), 'plans.json: 1.hidden: must be true or false, not "no".'],
    [second({ product_type: 2 }), 'plans.json: 1.product_type: must be 1, not 2.'],
    [second({ length_days: 0 }), 'plans.json: 1.length_days: must be 1 at least, not 0.'],
    [second({ length_days: 1_096 }), 'plans.json: 1.length_days: must be 1095 at most, not 1096.'],
    [second({ colour: 'teal' }), 'plans.json: 1.colour: must be a colour such as #0b5f57, not "teal".'],
    [
      second({ unique_id: 'Big one' }),
      'plans.json: 1.unique_id: must be in small letters, digits and hyphens, not "Big one".',
    ],
    [second({ unique_id: 'small' }), 'plans.json: 1.unique_id: small appears twice.'],
    [second({ sku: 'X' }), 'add-ons.json: 0.sku: X appears twice.'],
    [second({ code: 'S' }), 'plans.json: 1.code: S appears twice.'],
    [second({ code: 'X\u200b' }), 'add-ons.json: 0.code: X appears twice.'],
    [second({ rrp_cents: 999 }), 'plans.json: 1.rrp_cents: 999 is below price_cents, which is 1000.'],
    [second({ data_gb: 0, voice_mins: 9 }), 'plans.json: 1.data_gb: must be above 0, because big is a plan.'],
    [
      { 'add-ons.json': [{ ...addOn, data_gb: 0 }] },
      'add-ons.json: 0.data_gb: extra has no data, minutes or texts: data_gb, voice_mins and txt_sms are 0.',
    ],
    [second({ title: 'Caf\uFFFD' }), 'plans.json: 1.title: must be text without broken characters, not "Caf\uFFFD".'],
    [
      second(toBeNew),
      'plans.json: 1.next_product_id: big is for new customers only, so it must name the plan that it renews as.',
    ],
    [second({ ...toBeNew, next_product_id: 'gone' }), 'plans.json: 1.next_product_id: gone is not a plan.'],
    [second({ next_product_id: 'extra' }), 'plans.json: 1.next_product_id: extra is not a plan.'],
    [second({ ...toBeNew, next_product_id: 'big' }), 'plans.json: 1.next_product_id: big is for new customers only.'],
    [
      { 'filters.json': [filter, { ...filter, position: 101 }] },
      'filters.json: 1.position: must be 100 at most, not 101.',
    ],
    [{ 'filters.json': [filter, { ...filter, position: 50 }] }, 'filters.json: 1.length: 30 appears twice.'],
    [
      { 'filters.json': [{ ...filter, length: 14 }] },
      'filters.json: 0.length: no plan that can be bought is 14 days long.',
    ],
    [{ 'plans.json': [plan({ sku: null })] }, 'filters.json: 0.length: no plan that can be bought is 30 days long.'],
    [{ 'filters.json': [] }, 'filters.json: must have one length at least.'],
    [
      {
        'porting-providers.json': {
          NZ: [
            { id: 'spark', name: 'Spark' },
            { id: 'spark', name: 'Spark again' },
          ],
        },
      },
      'porting-providers.json: NZ.1.id: spark appears twice.',
    ],
    [
      { 'porting-providers.json': { UK: [], ...whole['porting-providers.json'] } },
      'porting-providers.json: UK: is unknown.',
    ],
    [{ 'porting-providers.json': { NZ: [] } }, 'porting-providers.json: NZ: must not be empty.'],
  ])('an error in a provider’s catalogue files is reported in one line: case %#', (files, line) =>
    expect(faultsOf(files as Partial<Files>)).toEqual([line]),
  )

  test('a price of 0 is accepted for a product that is marked as free', () =>
    expect(faultsOf(second({ price_cents: 0, free: true }) as Partial<Files>)).toEqual([]))

  test('a product may last three years, cost as much as its original price, and several may be without a SKU', () =>
    expect(
      faultsOf({
        'plans.json': [
          plan(),
          plan({ unique_id: 'long', sku: null, code: 'L', length_days: 1_095 }),
          plan({ unique_id: 'big', sku: null, code: 'B', rrp_cents: 1_000 }),
        ],
        'add-ons.json': [{ ...addOn, data_gb: 0, txt_sms: 1 }],
      }),
    ).toEqual([]))

  test('all errors in a provider’s catalogue files are reported together', () => {
    const files = {
      'plans.json': [plan({ title: 1, sort_order: null })],
      'add-ons.json': [plan()],
      'filters.json': [{ ...filter, unit: 'weeks' }],
    }
    expect(faultsOf(files as Partial<Files>)).toEqual([
      'plans.json: 0.title: must be a text, not 1.',
      'plans.json: 0.sort_order: must be a number, not null.',
      'add-ons.json: 0.product_type: must be 2, not 1.',
      'filters.json: 0.unit: must be "days", not "weeks".',
    ])
  })

  test('the list of other providers is required only for the market in use', () => {
    expect(faultsOf({})).toEqual([])
    expect(faultsOf({}, 'AU')).toEqual(['porting-providers.json: AU: is missing.'])
  })
})
