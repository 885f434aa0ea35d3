import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fantailProvider } from '#quality/support/provider.ts'
import { findFavourableChanges } from './server/favourable-changes.ts'
import { findOffers, indexProductsById, type Unit, computeUnitPrices, units } from './server/offers.ts'
import type { Catalogue, ProductRow } from './server/plans.store.ts'

const approved: Catalogue = fantailProvider.catalogue
const id = 'plan-30-5gb'
const change = (changes: Partial<ProductRow>, of = id, from = approved): Catalogue => ({
  ...from,
  products: from.products.map((product) => (product.unique_id === of ? { ...product, ...changes } : product)),
})
const add = (...added: ProductRow[]): Catalogue => ({ ...approved, products: [...approved.products, ...added] })
const product = (of = id): ProductRow => approved.products.find(({ unique_id }) => unique_id === of)!
const another = (changes: Partial<ProductRow> = {}): ProductRow => ({
  ...product(),
  unique_id: 'another',
  sku: 'FT-ANOTHER',
  title: 'Another',
  ...changes,
})
const sentences = (wanted: Catalogue, onSale = approved, from = approved) => findFavourableChanges(from, onSale, wanted)

describe('approval of changes to an approved product', () => {
  test('a change of up to 20% to a product needs no second approver; a larger change is reported with its percentage', () => {
    expect(sentences(approved)).toEqual([])
    expect(sentences(change({ price_cents: 1_760, price_rebill_cents: 1_680 }))).toEqual([])
    expect(sentences(change({ data_gb: 6 }))).toEqual([])
    expect(sentences(change({ length_days: 36 }))).toEqual([])
    expect(sentences(change({ price_cents: 1 }))).toEqual([
      '5 GB Prepay Plan (30 days): price falls from $22.00 to $0.01 (-99.9 %)',
    ])
  })

  test.each([
    [{ price_cents: 1_759 }, 'price falls from $22.00 to $17.59 (-20.1 %)'],
    [{ price_rebill_cents: 1_659 }, 'price of auto-renewal falls from $21.00 to $16.59 (-21 %)'],
    [{ data_gb: 6.001 }, 'data rises from 5 GB to 6.001 GB (+20.1 %)'],
    [{ data_gb: 6.1 }, 'data rises from 5 GB to 6.1 GB (+22 %)'],
    [{ length_days: 37 }, 'length rises from 30 days to 37 days (+23.3 %)'],
    [{ voice_mins: 1 }, 'minutes rise from 0 to 1'],
    [{ txt_sms: 1 }, 'texts rise from 0 to 1'],
    [{ roaming: true }, 'can be used for roaming'],
    [{ sku: 'FT-P30-60GB' }, 'the network delivers FT-P30-60GB instead of FT-P30-5GB'],
    [{ product_type: 2 as const }, 'a plan becomes an add-on, or an add-on a plan'],
  ])('a second person must approve a product change to %j', (changes, sentence) =>
    expect(sentences(change(changes))).toContain(`5 GB Prepay Plan (30 days): ${sentence}`),
  )

  test('a second person must approve a price cut and a data increase that together exceed 20%', () => {
    expect(sentences(change({ price_cents: 1_800, data_gb: 5.9 }))).toEqual([
      '5 GB Prepay Plan (30 days): price per GB and day falls from 14.7 cents to 10.2 cents (-30.7 %)',
      '5 GB Prepay Plan (30 days): price per GB falls from 440 cents to 305 cents (-30.7 %)',
    ])
  })

  test('a second person must approve lengthening a plan by one day if that adds a whole cycle of data', () => {
    const before = change({ length_days: 45 })
    expect(sentences(change({ length_days: 46 }), before, before)).toContain(
      '5 GB Prepay Plan (45 days): data over the whole length rises from 5 GB to 10 GB (+100 %)',
    )
  })

  test('a second person must approve a change that makes a plan renew as a cheaper or larger plan', () => {
    expect(sentences(change({ next_product_id: 'plan-30-1-5gb' }))).toEqual([
      '5 GB Prepay Plan (30 days): it renews as 1.5 GB Prepay Plan, whose price falls from $21.00 to $15.00 (-28.6 %)',
    ])
    expect(sentences(change({ next_product_id: 'plan-30-15gb' }))).toContain(
      '5 GB Prepay Plan (30 days): it renews as 15 GB Prepay Plan, whose data rises from 5 GB to 15 GB (+200 %)',
    )
  })

  test('a second person must approve making a new-customer plan available to everyone', () => {
    expect(sentences(change({ new_customer_only: false }, 'welcome-30-25gb'))).toContainEqual(
      expect.stringContaining('is no longer for new customers only'),
    )
  })

  test('hiding or showing a product needs no second approver, but changes to a hidden product are checked', () => {
    const hidden = change({ hidden: true })
    expect(sentences(hidden)).toEqual([])
    expect(sentences(change({ hidden: true, price_rebill_cents: 1 }))).toHaveLength(1)
    expect(sentences(approved, hidden)).toEqual([])
  })

  test('a product that was hidden when it was approved is checked like a new product when it goes on sale', () => {
    const cheap = change({ hidden: true, price_cents: 100, price_rebill_cents: null })
    expect(sentences(change({ hidden: false }, id, cheap), cheap, cheap)).not.toEqual([])
  })

  test('changes to a product that affect neither its price nor what it includes need no second approver', () => {
    const free = { title: 'New name', rrp_cents: 1, colour: '#000000', sort_order: 0, code: 'N' }
    expect(sentences(change(free))).toEqual([])
  })
})

describe('approval of new products', () => {
  test('a new product needs no second approver if it costs as much per unit as existing products', () => {
    expect(sentences(add(another({ price_cents: 4_500, price_rebill_cents: null })))).toEqual([])
    expect(sentences(add(another({ price_cents: 5_310, price_rebill_cents: null, length_days: 36 })))).toEqual([])
  })

  test.each([
    ['per GB', { data_gb: 100 }],
    ['per day, without any data', { data_gb: 0, price_cents: 100 }],
    ['per GB, for one day', { length_days: 1, price_cents: 250, data_gb: 5 }],
    ['when it renews', { price_rebill_cents: 1 }],
    ['when it renews as a hidden product', { next_product_id: 'plan-30-10gb', price_cents: 9_900 }],
    ['because it is free', { price_cents: 0 }],
    ['hidden', { hidden: true, price_cents: 1, price_rebill_cents: null }],
    ['without a sku', { sku: null, price_cents: 1, price_rebill_cents: null }],
    ['with texts, which no other plan has', { txt_sms: 1, price_cents: 9_900, price_rebill_cents: null }],
    ['with roaming, which no other plan has', { roaming: true, price_cents: 9_900, price_rebill_cents: null }],
  ])('a second person must approve a new product that is cheaper than the cheapest on sale: %s', (_, changes) => {
    const catalogue = change({ price_rebill_cents: 100 }, 'plan-30-10gb')
    const wanted = { ...catalogue, products: [...catalogue.products, another(changes)] }
    expect(findFavourableChanges(catalogue, catalogue, wanted)).toContainEqual(
      expect.stringMatching(/^Another \(new, \d+ days?\): /),
    )
  })

  test('without a second approver, only a new-customer plan may be as cheap as an existing new-customer plan', () => {
    const before = change({ data_gb: 60 }, 'welcome-30-25gb')
    const welcome = before.products.find(({ unique_id }) => unique_id === 'welcome-30-25gb')!
    const copy = { ...welcome, unique_id: 'another', sku: 'FT-ANOTHER' }
    const withCopy = (changes: Partial<ProductRow>) => ({
      ...before,
      products: [...before.products, { ...copy, ...changes }],
    })
    expect(sentences(withCopy({}), before, before)).toEqual([])
    expect(sentences(withCopy({ new_customer_only: false }), before, before)).not.toEqual([])
  })

  test('a new product is compared with the approved product that has the same SKU', () => {
    const year = product('plan-365-60gb')
    const renamed = { ...year, unique_id: 'another', price_cents: 42_000 }
    const wanted = {
      ...approved,
      products: [...approved.products.map((each) => (each === year ? { ...each, sku: null } : each)), renamed],
    }
    expect(sentences(wanted)).toContainEqual(expect.stringContaining('price falls from $531.00 to $420.00 (-20.9 %)'))
  })

  test('a second person must approve a copy of the cheapest plan if that plan has just been made cheaper or hidden', () => {
    const cheapest = 'plan-365-60gb'
    const copy = { ...product(cheapest), unique_id: 'another', sku: 'FT-ANOTHER' }
    const lowered = change({ price_cents: 42_480 }, cheapest)
    const wanted = { ...lowered, products: [...lowered.products, { ...copy, price_cents: 42_480 }] }
    expect(sentences(wanted, lowered)).not.toEqual([])
    const hidden = change({ hidden: true }, cheapest)
    expect(sentences({ ...hidden, products: [...hidden.products, copy] }, hidden)).not.toEqual([])
  })
})

test('the cost of comparing two catalogues grows linearly with the number of products', () => {
  const readsFor = (count: number): number => {
    let reads = 0
    const numbered = (name: string): Catalogue => ({
      ...approved,
      products: Array.from({ length: count }, (_, place) => ({
        ...another({ unique_id: `${name}-${place}`, sku: `${name}-${place}` }),
        get price_cents() {
          reads++
          return 4_500
        },
      })),
    })
    const onSale = numbered('on-sale')
    findFavourableChanges(onSale, onSale, { ...onSale, products: [...onSale.products, ...numbered('new').products] })
    return reads
  }
  expect(readsFor(200) / readsFor(20)).toBeLessThan(12)
})

const plans = approved.products.filter(({ product_type: type }) => type === 1)
const step = fc.record({
  of: fc.constantFrom(...plans.map(({ unique_id }) => unique_id), 'new'),
  price: fc.double({ min: 0.7, max: 1.1, noNaN: true }),
  rebill: fc.option(fc.double({ min: 0.7, max: 1.1, noNaN: true })),
  data: fc.double({ min: 0.9, max: 1.3, noNaN: true }),
  days: fc.integer({ min: -2, max: 8 }),
  hidden: fc.boolean(),
  next: fc.option(fc.constantFrom(...plans.map(({ unique_id }) => unique_id))),
})
type Step = ReturnType<typeof step.generate>['value']

function edited(catalogue: Catalogue, { of, price, rebill, data, days, hidden, next }: Step): Catalogue {
  const known = catalogue.products.find(({ unique_id }) => unique_id === of)
  const before = known ?? another({ unique_id: 'new', sku: 'FT-NEW', price_cents: 6_000 })
  const cents = Math.round(before.price_cents * price)
  const after = {
    ...before,
    price_cents: cents,
    price_rebill_cents: rebill === null ? before.price_rebill_cents : Math.round(cents * rebill),
    data_gb: before.data_gb * data,
    length_days: Math.max(1, before.length_days + days),
    hidden,
    next_product_id: next ?? before.next_product_id,
  }
  const others = catalogue.products.filter((each) => each !== known)
  return { ...catalogue, products: [...others, after] }
}

const least = 0.8

function cheapest(kind: 'purchase' | 'renewal'): Map<Unit, number> {
  const all = indexProductsById(approved.products)
  const forEverybody = plans.filter((each) => each.sku && !each.hidden && !each.new_customer_only)
  const prices = forEverybody.flatMap((each) => [...computeUnitPrices(findOffers(each, all)[kind])])
  return new Map(
    units.map((unit) => [unit, Math.min(...prices.flatMap(([of, cents]) => (of === unit ? [cents] : [])))]),
  )
}

test('many small changes published by one person never bring a price below 80% of what two people approved', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const onSale = steps.reduce((now, each) => {
        const wanted = edited(now, each)
        return findFavourableChanges(approved, now, wanted).length === 0 ? wanted : now
      }, approved)
      const before = indexProductsById(approved.products)
      const after = indexProductsById(onSale.products)
      const undersold = onSale.products.flatMap((each) =>
        (['purchase', 'renewal'] as const).flatMap((kind) => {
          const known = before.get(each.unique_id)
          const old = known && findOffers(known, before)[kind]
          const offer = findOffers(each, after)[kind]
          const isBelow = old ? offer.cents < old.cents * least : false
          const floors = old ? computeUnitPrices(old) : cheapest(kind)
          const units = [...computeUnitPrices(offer)].filter(
            ([unit, cents]) => cents < (floors.get(unit) ?? 0) * (old ? least : 1) * 0.999,
          )
          return isBelow || units.length > 0 ? [{ id: each.unique_id, kind, cents: offer.cents }] : []
        }),
      )
      expect(undersold).toEqual([])
    }),
    { numRuns: 100 },
  )
})

test('a change that needs a second approver still needs one if it is combined with a lower price and more data', () => {
  fc.assert(
    fc.property(step, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 50 }), (each, less, more) => {
      const wanted = edited(approved, { ...each, next: null })
      fc.pre(findFavourableChanges(approved, approved, wanted).length > 0)
      const last = wanted.products.at(-1)!
      const cheaper = {
        price_cents: Math.floor(last.price_cents * less),
        price_rebill_cents: Math.floor((last.price_rebill_cents ?? last.price_cents) * less),
        data_gb: last.data_gb * (1 + more / 10),
        voice_mins: last.voice_mins + more,
        length_days: last.length_days + more,
      }
      expect(findFavourableChanges(approved, approved, change(cheaper, each.of, wanted))).not.toEqual([])
    }),
    { numRuns: 100 },
  )
})
