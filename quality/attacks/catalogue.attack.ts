import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { parseCatalogueFile, writeCatalogueFile } from '#features/plans/server/catalogue-file.ts'
import { applyCatalogue } from '#features/plans/server/catalogue.ts'
import { hashCatalogue } from '#features/plans/server/catalogue.store.ts'
import { type Catalogue, type CatalogueProduct, readCatalogue } from '#features/plans/server/plans.store.ts'
import { newPasskeyHolder } from '#quality/support/passkey-holder.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import * as edits from './catalogue-edits.ts'
import { takeRotatingSlice } from './malicious-texts.ts'
import { createAttackLog } from './attack-log.ts'

/*
 * The attacker is an administrator, acting alone, who tries to sell for less or give customers more than two people have approved. For
 * every product, the attack changes, in a single step, each numeric field that affects what customers pay or get. It also changes one of
 * these fields (all of them with ATTACKS=long) in several steps, adds new products (a third of the variants unless ATTACKS=long), enters
 * prices of 0, and publishes without a passkey. It succeeds if the catalogue on sale breaks the rule afterwards, or if such a price or
 * publication is accepted.
 */

type Weakness = 'measured by the last version' | 'new products are not measured' | 'no passkey' | 'free without a word'
const planted = vi.hoisted(() => ({ weakness: null as Weakness | null }))

vi.mock(import('#features/plans/server/catalogue.store.ts'), async (load) => {
  const real = await load()
  return {
    ...real,
    async findApprovedContent(trx) {
      if (planted.weakness !== 'measured by the last version') return real.findApprovedContent(trx)
      const { number } = (await real.findAppliedVersion(trx))!
      return (await real.findVersion(trx, number))!.content
    },
  }
})
vi.mock(import('#features/plans/server/undercut-prices.ts'), async (load) => {
  const real = await load()
  return {
    ...real,
    listUndercutPrices: (...args) =>
      planted.weakness === 'new products are not measured' ? [] : real.listUndercutPrices(...args),
  }
})
vi.mock(import('#desk/features/staff/server/action-confirmation.ts'), async (load) => {
  const real = await load()
  return {
    ...real,
    requireActionConfirmation: async (...args) =>
      planted.weakness === 'no passkey' ? undefined : real.requireActionConfirmation(...args),
  }
})
vi.mock(import('#features/plans/server/catalogue-file.ts'), async (load) => {
  const real = await load()
  const confirmed = (text: string) => text.replaceAll(/"price(_rebill)?_cents": 0,/g, '$&"free": true,')
  return {
    ...real,
    parseCatalogueFile: (text) =>
      real.parseCatalogueFile(planted.weakness === 'free without a word' ? confirmed(text) : text),
  }
})

const world = useWorld({ env: { DESK_PORT: '0' } })
const approved = fantailProvider.catalogue
const tries = createAttackLog()
afterAll(() => console.log(tries.table()))
const isLong = process.env['ATTACKS'] === 'long'

let admin: Visitor
beforeAll(async () => {
  admin = await newStaffVisitor(world().deskUrl ?? '', demoStaff.admin)
})
beforeEach(beginAgain)
afterEach(() => {
  planted.weakness = null
})

const onSale = (): Promise<Catalogue> => world().db.transaction().execute(readCatalogue)

async function beginAgain(): Promise<void> {
  if (hashCatalogue(await onSale()) === hashCatalogue(approved)) return
  await applyCatalogue(world().deps, { catalogue: approved, at: null, actor: { by: 'operator', name: 'Tom' } })
  await world().db.deleteFrom('products').where('unique_id', 'like', 'attack%').execute()
}

const drafts = '/api/desk/catalogue/drafts/'
let draft: { number: number; hash: string } | null = null

async function handIn(text: string, who = admin): Promise<number> {
  const file = { name: 'a.json', text }
  const { status, body } = draft
    ? await who.post(`${drafts}${draft.number}/replace/`, { hash: draft.hash, ...file })
    : await who.post(drafts, file)
  const read = parseCatalogueFile(text)
  if (status === 200 && 'catalogue' in read)
    draft = { number: draft?.number ?? body.number, hash: hashCatalogue(read.catalogue) }
  return status
}

async function publishAlone(catalogue: Catalogue, { who = admin, more = {} as object } = {}): Promise<number> {
  const handedIn = await handIn(writeCatalogueFile(catalogue), who)
  if (handedIn !== 200) return handedIn
  const wish = { hash: draft!.hash, when: 'now', at: '', reason: 'prices', note: '', ...more }
  const { status } = await who.post(`${drafts}${draft!.number}/publish/`, wish)
  if (status === 200) draft = null
  return status
}

async function judge(kind: string, what: string): Promise<void> {
  for (const fault of edits.findUnderpricedProducts(approved, await onSale()))
    tries.find({ kind, call: 'publish', what, fault })
}

let told = 0
const found = () => tries.findings.slice(told, (told = tries.findings.length))

async function attackInOneStep(products = approved.products): Promise<void> {
  for (const { what, catalogue } of edits.inOneStep(approved, products)) {
    tries.count('one step')
    if ((await publishAlone(catalogue)) !== 200) continue
    await judge('one step', what)
    await beginAgain()
  }
}

async function attackInSteps(products = approved.products): Promise<void> {
  for (const [turn, product] of products.entries())
    for (const field of isLong ? edits.favourableFields : takeRotatingSlice(edits.favourableFields, turn, 1)) {
      tries.count('in steps')
      for (let steps = 0; steps < 5; steps++) {
        const next = edits.improveField(await onSale(), product.unique_id, field)
        if ((await publishAlone(next)) !== 200) break
      }
      await judge('in steps', `${field} of ${product.unique_id}`)
      await beginAgain()
    }
}

async function attackWithNewProducts(products = approved.products): Promise<void> {
  const all = [...edits.withCheapProducts(approved, products)]
  for (const { what, catalogue } of all.filter((_, place) => isLong || place % 3 === 0)) {
    tries.count('new product')
    if ((await publishAlone(catalogue)) !== 200) continue
    await judge('new product', what)
    await beginAgain()
  }
}

async function attackWithNothingToPay(products: CatalogueProduct[]): Promise<void> {
  for (const { what, catalogue } of edits.withPricesOfNothing(approved, products)) {
    tries.count('price of 0')
    const status = await handIn(writeCatalogueFile(catalogue))
    if (status !== 400) tries.find({ kind: 'price of 0', call: 'draft', what, fault: `was answered ${status}` })
  }
}

const few = approved.products.slice(0, 3)

test('one staff member alone cannot cut a price by 21 % or increase what a product includes by 21 %', async () => {
  await attackInOneStep()
  expect(found()).toEqual([])
})

test('one staff member cannot get past the 20 % limit with several smaller changes', async () => {
  await attackInSteps()
  expect(found()).toEqual([])
})

test('the price attack exposes a planted weakness: prices are compared with the last version, not the approved one', async () => {
  planted.weakness = 'measured by the last version'
  await attackInSteps(few)
  expect(found()).not.toEqual([])
})

test('one staff member alone cannot put a new product on sale that is cheaper than all existing ones', async () => {
  await attackWithNewProducts()
  expect(found()).toEqual([])
})

test('the price attack exposes a planted weakness: new products are not checked', async () => {
  planted.weakness = 'new products are not measured'
  await attackWithNewProducts(few)
  expect(found()).not.toEqual([])
})

test('a catalogue file with a price of 0 is rejected unless it says that the product is free', async () => {
  await attackWithNothingToPay(approved.products)
  expect(found()).toEqual([])
})

test('the price attack exposes a planted weakness: a price of 0 is accepted', async () => {
  planted.weakness = 'free without a word'
  await attackWithNothingToPay(few)
  expect(found()).not.toEqual([])
})

async function attackWithoutPasskey(): Promise<void> {
  const holder = await newPasskeyHolder(world(), demoStaff.admin)
  const answers = {
    none: null,
    'of another act': await holder.confirm('publish catalogue draft 1'),
    'made up': { id: holder.passkey.id, response: { clientDataJSON: 'e30' } },
  }
  for (const [what, answer] of Object.entries(answers)) {
    tries.count('no passkey')
    const cheaper = edits.changeProduct(await onSale(), 'plan-30-5gb', ({ price_cents: cents }) => ({
      price_cents: cents - 1,
    }))
    const status = await publishAlone(cheaper, { who: holder, more: { answer } })
    if (status === 200) tries.find({ kind: 'no passkey', call: 'publish', what, fault: 'is published' })
  }
}

test('publishing a catalogue always requires a passkey confirmation, however recently the staff member signed in', async () => {
  await attackWithoutPasskey()
  expect(found()).toEqual([])
})

test('the publishing attack exposes a planted weakness: no passkey confirmation is required', async () => {
  planted.weakness = 'no passkey'
  await attackWithoutPasskey()
  expect(found()).not.toEqual([])
})
