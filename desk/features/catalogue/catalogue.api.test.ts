import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRenewingCustomer } from '#quality/support/auto-renewal.ts'
import { buildChangedCatalogue, downloadCatalogue } from '#quality/support/catalogue-file.ts'
import { changePrice } from '#quality/support/changed-price.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { fantailFolder } from '#quality/support/provider.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { approvalMessages } from '#desk/features/approvals/approvals.contract.ts'
import { catalogueMessages, type DraftPage, maxFileLength } from './catalogue.contract.ts'

const dataDir = createDataFolder('fantail-desk-catalogue-')
const folder = join(dataDir, 'provider')
cpSync(fantailFolder, folder, { recursive: true })
const world = useWorld({ env: { DESK_PORT: '0', DATA_DIR: dataDir, PROVIDER_DIR: folder } })
const at = (rest = '') => `/api/desk/catalogue/${rest}`
const why = { reason: 'prices', note: '' }
const id = 'plan-30-5gb'

let [jo, mere, hine]: Visitor[] = []
const people = () => ({ jo: jo!, mere: mere!, hine: hine! })
beforeAll(async () => {
  const desk = world().deskUrl ?? ''
  ;[jo, mere, hine] = await Promise.all(
    [demoStaff.admin, demoStaff.lead, demoStaff.support].map((email) => newStaffVisitor(desk, email)),
  )
})

const priceShown = async (): Promise<string> => (await world().visitor().get('/api/products/')).body[id]?.price
const priceNow = async (): Promise<number> => Math.round(Number(await priceShown()) * 100)
const draftOf = async (number: number): Promise<DraftPage> => (await people().jo.get(at(`drafts/${number}/`))).body
const versions = async () => (await people().jo.get(at())).body.versions

async function draftWith(change: Parameters<typeof buildChangedCatalogue>[1]) {
  const text = await buildChangedCatalogue(people().jo, change)
  const { status, body } = await people().jo.post(at('drafts/'), { name: 'catalogue.json', text })
  expect(status).toBe(200)
  const { draft } = await draftOf(body.number)
  return { number: draft.number, wish: { hash: draft.hash, when: 'now', at: '', ...why } }
}
const publish = (number: number, wish: object) => people().jo.post(at(`drafts/${number}/publish/`), wish)
const ask = (number: number, wish: object) => people().jo.post(at(`drafts/${number}/ask/`), wish)
const decide = (who: Visitor, approval: string, decision = 'approved') =>
  who.post(`/api/desk/approvals/${approval}/decide/`, { decision, words: '' })
const lastAct = () =>
  world()
    .db.selectFrom('audit_events')
    .select(['event', 'actor', 'reason', 'details'])
    .where('staff_id', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

beforeEach(async () => {
  for (const { number } of (await people().jo.get(at())).body.drafts)
    await people().jo.post(at(`drafts/${number}/drop/`), { hash: (await draftOf(number)).draft.hash })
})

test('the catalogue page shows the products on sale, the versions and the state of the provider’s catalogue folder', async () => {
  const { status, body } = await people().mere.get(at())
  expect(status).toBe(200)
  expect(body.products.find(({ unique_id }: { unique_id: string }) => unique_id === id)).toEqual({
    unique_id: id,
    title: '5 GB Prepay Plan',
    kind: 'plan',
    days: 30,
    price: await priceShown(),
    price_rebill: '21.00',
    data_gb: 5,
    is_hidden: false,
    is_for_sale: true,
  })
  expect(body.versions[0]).toMatchObject({
    state: 'for sale',
    by: 'Provider’s catalogue folder, loaded at start-up',
    approved_by: null,
  })
  expect(body.folder).toEqual({ changes: 0, faults: [] })
})

test('errors in the provider’s catalogue folder are reported with their location, and a valid folder becomes a draft', async () => {
  const plans = join(folder, 'plans.json')
  const before = readFileSync(plans, 'utf8')
  try {
    writeFileSync(plans, before.replace('"price_cents": 2200', '"price_cents": -1'))
    const { folder: shown } = (await people().jo.get(at())).body
    expect(shown.faults).toEqual([
      expect.stringMatching(/^plans\.json: line \d+: \d+\.price_cents: must be 0 at least, not -1\.$/),
    ])
    expect((await people().jo.post(at('drafts/folder/'))).status).toBe(400)
    changePrice(folder, 2_100)
  } catch (error) {
    writeFileSync(plans, before)
    throw error
  }
  writeFileSync(plans, before)
  changePrice(folder, 2_100)
  expect((await people().jo.get(at())).body.folder).toEqual({ changes: 1, faults: [] })
  const { status, body } = await people().jo.post(at('drafts/folder/'))
  expect(status).toBe(200)
  writeFileSync(plans, before)
  const { draft, changes } = await draftOf(body.number)
  expect(draft.source).toBe('The provider’s folder')
  expect(changes).toMatchObject([{ unique_id: id, fields: [{ field: 'price', to: '21.00' }] }])
})

describe('uploaded catalogue files', () => {
  test('a catalogue file that is identical to the current catalogue has no changes and cannot be published', async () => {
    const { number, wish } = await draftWith({})
    expect((await draftOf(number)).changes).toEqual([])
    expect(await publish(number, wish)).toMatchObject({ status: 409, body: { __all__: [catalogueMessages.same] } })
  })

  test.each([
    ['{', [/^line 1, column \d+: is not JSON: /]],
    ['[]', [/^line 1: plans: is missing\.$/]],
    ['7', [/^line 1: must be an object, not 7\.$/]],
    ['{"plans": [], "add_ons": [], "filters": []}', [/^line 1: filters: must have one length at least\.$/]],
    ['{"plans": [], "add_ons": []}', [/^line 1: filters: is missing\.$/]],
    [
      '{"plans": [{"unique_id": "A b", "price_cents": 1.5}], "add_ons": [], "filters": []}',
      [/^line 1: plans\.0\.unique_id: must be in small letters/],
    ],
  ])('the catalogue file %s is rejected with a list of its errors', async (text, faults) => {
    const { status, body } = await people().jo.post(at('drafts/'), { name: 'a.json', text })
    expect([status, Object.keys(body)]).toEqual([400, ['text']])
    for (const fault of faults) expect(body.text).toContainEqual(expect.stringMatching(fault))
  })

  test('invalid fields in a catalogue file are reported before invalid references between its products', async () => {
    const file = await downloadCatalogue(people().jo)
    const plans = file.plans.map((plan, index) => ({
      ...plan,
      ...(index === 0 && { next_product_id: 'nothing', price_cents: 3_000_000_000, title: '\ud800' }),
    }))
    const text = JSON.stringify({ ...file, plans })
    const { body } = await people().jo.post(at('drafts/'), { name: 'a.json', text })
    expect(body.text).toEqual([
      'line 1: plans.0.title: must be text without broken characters, not "\\ud800".',
      'line 1: plans.0.price_cents: must be 1000000000 at most, not 3000000000.',
    ])
    const other = JSON.stringify({
      ...file,
      plans: file.plans.map((plan, index) => (index === 0 ? { ...plan, next_product_id: 'nothing' } : plan)),
    })
    expect((await people().jo.post(at('drafts/'), { name: 'a.json', text: other })).body.text).toEqual([
      'line 1: plans.0.next_product_id: nothing is not a plan.',
    ])
  })

  test('at most a hundred errors in a catalogue file are listed', async () => {
    const text = JSON.stringify({ plans: Array.from({ length: 1_000 }, () => ({})), add_ons: [], filters: [] })
    const { body } = await people().jo.post(at('drafts/'), { name: 'a.json', text })
    expect(body.text).toHaveLength(101)
    expect(body.text.at(-1)).toMatch(/^And \d+ more\.$/)
    const more = JSON.stringify({ plans: Array.from({ length: 1_001 }, () => ({})), add_ons: [], filters: [] })
    expect((await people().jo.post(at('drafts/'), { name: 'a.json', text: more })).body.text).toContain(
      'line 1: plans: must have 1000 entries at most, not 1001.',
    )
  })

  test('a catalogue file that is too large or empty is rejected', async () => {
    const send = (length: number) => people().jo.post(at('drafts/'), { name: 'a.json', text: 'x'.repeat(length) })
    expect((await send(maxFileLength + 1)).body).toEqual({ text: [catalogueMessages.tooLarge] })
    expect(await send(3_000_000)).toMatchObject({ status: 413, body: { __all__: [catalogueMessages.tooLarge] } })
    expect((await people().jo.post(at('drafts/'), { name: 'a.json', text: '' })).body).toEqual({
      text: [catalogueMessages.noFile],
    })
  })

  test('a catalogue draft’s file can be replaced only by someone who has seen the draft’s latest version', async () => {
    const { number, wish } = await draftWith({ price_cents: 2_150 })
    const text = await buildChangedCatalogue(people().jo, { price_cents: 2_050 })
    const replace = (hash: string) =>
      people().jo.post(at(`drafts/${number}/replace/`), { hash, name: 'second.json', text })
    expect((await replace(wish.hash)).status).toBe(200)
    expect(await replace(wish.hash)).toMatchObject({ status: 409, body: { __all__: [catalogueMessages.changed] } })
    expect((await draftOf(number)).draft.source).toBe('second.json')
    expect(await publish(number, wish)).toMatchObject({ status: 409, body: { __all__: [catalogueMessages.changed] } })
  })
})

test('one person alone can publish a lower price immediately, with a reason', { tags: ['slow'] }, async () => {
  await createRenewingCustomer(world(), { plan: id })
  const cents = (await priceNow()) - 100
  const { number, wish } = await draftWith({ price_cents: cents })
  const { changes, worse } = await draftOf(number)
  expect(worse).toEqual([])
  expect(changes).toMatchObject([{ unique_id: id, before: { renewing: 1, told: 0 }, after: { renewing: 1, told: 0 } }])
  const { status, body } = await publish(number, { ...wish, reason: 'other', note: 'Spring is here at last' })
  expect(status).toBe(200)
  expect(await priceNow()).toBe(cents)
  expect(await lastAct()).toMatchObject({
    event: 'catalogue_applied',
    actor: 'staff:Jo Tan',
    reason: 'other: Spring is here at last',
  })
  const { version, changes: shown } = (await people().hine.get(at(`versions/${body.version}/`))).body
  expect(version).toMatchObject({ by: 'Jo Tan', state: 'for sale', why: 'Other: Spring is here at last' })
  expect(shown).toMatchObject([{ unique_id: id, fields: [{ field: 'price' }] }])
  expect((await publish(number, wish)).status).toBe(409)
})

test(
  'if a draft changes a plan’s next plan, the affected auto-renewals are counted under the new next plan',
  { tags: ['slow'] },
  async () => {
    await createRenewingCustomer(world(), { plan: 'plan-30-15gb' })
    const text = await buildChangedCatalogue(people().jo, { next_product_id: id }, 'plan-30-15gb')
    const { body } = await people().jo.post(at('drafts/'), { name: 'a.json', text })
    const { changes } = await draftOf(body.number)
    const onto = (wanted: string) => changes.find(({ unique_id }) => unique_id === wanted)
    expect(onto('plan-30-15gb')).toMatchObject({ before: { renewing: 1 }, after: { renewing: 0 } })
    const five = onto(id)
    expect(five).toMatchObject({ kind: 'renewals', fields: [] })
    expect(five!.after.renewing).toBe(five!.before.renewing + 1)
  },
)

describe('a second person’s approval of a catalogue draft', () => {
  test.each([
    ['a higher price', { price_cents: 9_000 }],
    ['a higher price of auto-renewal', { price_rebill_cents: 9_000 }],
    ['less data', { data_gb: 1 }],
    ['renewal onto a more expensive plan', { next_product_id: 'plan-30-10gb' }],
  ])('publishing %s needs a second person’s approval', { tags: ['slow'] }, async (_, change) => {
    const { number, wish } = await draftWith(change)
    expect(await publish(number, wish)).toMatchObject({
      status: 403,
      body: { code: catalogueMessages.needsApproval, second_person: true },
    })
    expect((await draftOf(number)).worse).not.toEqual([])
  })

  test('approval cannot be requested for a catalogue draft that one person may publish alone', async () => {
    const { number, wish } = await draftWith({ price_cents: (await priceNow()) - 1 })
    expect(await ask(number, wish)).toMatchObject({
      status: 409,
      body: { __all__: [catalogueMessages.needsNoApproval] },
    })
  })

  test('a higher price goes on sale once a second person approves the catalogue draft, and both names are recorded', async () => {
    const cents = (await priceNow()) + 100
    const before = await priceShown()
    const { number, wish } = await draftWith({ price_cents: cents })
    const asked = await ask(number, wish)
    expect(asked.status).toBe(200)
    expect(await ask(number, wish)).toMatchObject({ status: 409, body: { __all__: [approvalMessages.asked] } })
    expect((await draftOf(number)).asked).toMatchObject({ by: 'Jo Tan', from: null, is_stale: false })
    const card = (await people().mere.get('/api/desk/approvals/')).body.to_decide.find(
      (each: { id: string }) => each.id === asked.body.id,
    )
    expect(card).toMatchObject({
      kind: 'catalogue',
      path: `/catalogue/drafts/${number}/`,
      reason: 'New prices',
      changes: 1,
      worse: [expect.stringContaining('5 GB Prepay Plan: price $')],
      is_stale: false,
    })
    for (const who of [people().jo, people().hine]) expect((await decide(who, asked.body.id)).status).toBe(403)
    expect(await priceShown()).toBe(before)
    expect((await decide(people().mere, asked.body.id)).status).toBe(200)
    expect(await priceNow()).toBe(cents)
    expect((await versions())[0]).toMatchObject({ by: 'Jo Tan', approved_by: 'Mere Ngata', state: 'for sale' })
    const acts = await world().db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').limit(2).execute()
    expect(acts).toMatchObject([
      { event: 'catalogue_applied', actor: 'staff:Jo Tan', details: { approved_by: 'Mere Ngata' } },
      { event: 'approval_given', actor: 'staff:Mere Ngata' },
    ])
    const { own } = (await people().jo.get('/api/desk/approvals/')).body
    expect(own.find((each: { id: string }) => each.id === asked.body.id)).toMatchObject({
      state: 'approved',
      path: expect.stringMatching(/^\/catalogue\/versions\/\d+\/$/),
    })
    expect((await decide(people().mere, asked.body.id)).status).toBe(409)
  })

  test('an admin cannot decide on their own catalogue request, even if they also have a role that can approve requests', async () => {
    const both = world().db.updateTable('staff').where('email', '=', demoStaff.admin)
    const { number, wish } = await draftWith({ price_cents: 8_800 })
    const { body } = await ask(number, wish)
    await both.set({ roles: 'finance,admin' as never }).execute()
    const answer = await decide(people().jo, body.id)
    await both.set({ roles: 'admin' as never }).execute()
    expect(answer).toMatchObject({ status: 403, body: { code: approvalMessages.own } })
    expect(await decide(people().mere, body.id, 'refused')).toMatchObject({ status: 200 })
  })

  test('an approval covers only the catalogue draft’s exact content at the time of the request', async () => {
    const before = await priceShown()
    const { number, wish } = await draftWith({ price_cents: 5_000 })
    const first = await ask(number, wish)
    const text = await buildChangedCatalogue(people().jo, { price_cents: 9_900 })
    await people().jo.post(at(`drafts/${number}/replace/`), { hash: wish.hash, name: 'b.json', text })
    const refused = { status: 409, body: { __all__: [catalogueMessages.changedSince] } }
    expect(await decide(people().mere, first.body.id)).toMatchObject(refused)
    expect(await priceShown()).toBe(before)
    const shown = await draftOf(number)
    expect(shown.asked).toMatchObject({ is_stale: true })
    const second = await ask(number, { ...wish, hash: shown.draft.hash })
    expect(second.status).toBe(200)
    await people().jo.post(at(`drafts/${number}/drop/`), { hash: shown.draft.hash })
    expect(await decide(people().mere, second.body.id)).toMatchObject(refused)
    expect((await decide(people().mere, second.body.id, 'refused')).status).toBe(200)
    expect(await priceShown()).toBe(before)
  })

  test('if several people approve a catalogue draft at the same time, it is published only once', async () => {
    const { number, wish } = await draftWith({ price_cents: (await priceNow()) + 10 })
    const { body } = await ask(number, wish)
    const count = async () => (await versions()).length as number
    const before = await count()
    const answers = await Promise.all([1, 2, 3].map(() => decide(people().mere, body.id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await count()).toBe(before + 1)
  })
})

describe('scheduled catalogue versions', () => {
  test('a scheduled catalogue version goes on sale at midnight in the market’s time zone, and not before', async () => {
    const before = await priceShown()
    const cents = (await priceNow()) - 50
    const { number, wish } = await draftWith({ price_cents: cents })
    const { next_month: first } = await draftOf(number)
    expect(first).toMatch(/^\d{4}-\d\d-01T00:00$/)
    const { status, body } = await publish(number, { ...wish, when: 'then', at: first })
    expect(status).toBe(200)
    const { version } = (await people().jo.get(at(`versions/${body.version}/`))).body
    const midnight = Temporal.PlainDateTime.from(first).toZonedDateTime('Pacific/Auckland').toInstant()
    expect(version).toMatchObject({ state: 'to come', from: new Date(midnight.epochMilliseconds).toISOString() })
    const minutes = Math.floor(world().deps.clock.now().until(midnight).total('minutes')) - 1
    await world().advance(`PT${minutes}M`)
    expect(await priceShown()).toBe(before)
    await world().advance('PT3M')
    await expect.poll(priceNow).toBe(cents)
    expect((await people().jo.get(at(`versions/${body.version}/`))).body.version.state).toBe('for sale')
  })

  test('a scheduled catalogue version can be cancelled once, with a reason', { tags: ['slow'] }, async () => {
    const before = await priceShown()
    const { number, wish } = await draftWith({ price_cents: (await priceNow()) - 60 })
    const { next_month: first } = await draftOf(number)
    const { version } = (await publish(number, { ...wish, when: 'then', at: first })).body
    const callOff = (body: object) => people().jo.post(at(`versions/${version}/call-off/`), body)
    expect((await callOff({ reason: 'other', note: 'no' })).status).toBe(400)
    expect((await callOff({ reason: 'correction', note: '' })).status).toBe(200)
    expect(await lastAct()).toMatchObject({ event: 'catalogue_called_off', reason: 'correction' })
    expect(await callOff(why)).toMatchObject({ status: 409, body: { __all__: [catalogueMessages.notScheduled] } })
    await world().advance('P32D')
    expect(await priceShown()).toBe(before)
    expect((await versions()).find((each: { number: number }) => each.number === version).state).toBe('called off')
  })

  test(
    'a request to publish at a time that has passed cannot be approved, and a new request replaces it',
    { tags: ['slow'] },
    async () => {
      const before = await priceShown()
      const { number, wish } = await draftWith({ price_cents: 7_700 })
      const { next_month: first } = await draftOf(number)
      const { body } = await ask(number, { ...wish, when: 'then', at: first })
      await world().advance('P32D')
      expect(await decide(people().mere, body.id)).toMatchObject({
        status: 409,
        body: { __all__: [catalogueMessages.requestedTimePassed] },
      })
      expect(await priceShown()).toBe(before)
      expect((await draftOf(number)).asked).toMatchObject({ is_stale: true })
      expect((await ask(number, wish)).status).toBe(200)
      expect((await draftOf(number)).asked).toMatchObject({ from: null, is_stale: false })
    },
  )

  test.each([
    ['2020-01-01T00:00', catalogueMessages.timePassed],
    ['', catalogueMessages.notADay],
    ['2027-09-26T02:30', catalogueMessages.notADay],
    ['tomorrow', catalogueMessages.notADay],
  ])('%s is rejected as the time of publication', async (time, message) => {
    const { number, wish } = await draftWith({ price_cents: (await priceNow()) - 70 })
    expect(await publish(number, { ...wish, when: 'then', at: time })).toMatchObject({
      status: 400,
      body: { at: [message] },
    })
  })

  test('a price above the scheduled price needs a second person’s approval, even if it is below today’s price', async () => {
    const now = await priceNow()
    const low = await draftWith({ price_cents: now - 200 })
    const { next_month: first } = await draftOf(low.number)
    const { version } = (await publish(low.number, { ...low.wish, when: 'then', at: first })).body
    const back = await draftWith({ price_cents: now - 100 })
    expect((await publish(back.number, { ...back.wish, when: 'then', at: first })).status).toBe(403)
    await people().jo.post(at(`versions/${version}/call-off/`), why)
  })
})

test('only admins can change a catalogue draft, and unknown drafts and versions get 404', async () => {
  const { number, wish } = await draftWith({ price_cents: 1 })
  for (const who of [people().mere, people().hine]) {
    for (const path of [`drafts/${number}/publish/`, `drafts/${number}/ask/`, `drafts/${number}/drop/`, 'drafts/'])
      expect((await who.post(at(path), wish)).status).toBe(403)
    expect((await who.get(at(`drafts/${number}/`))).status).toBe(200)
  }
  for (const path of ['drafts/999999/', 'versions/999999/', 'versions/999999/file/', 'versions/0/', 'drafts/x/'])
    expect((await people().jo.get(at(path))).status).toBe(404)
  expect((await people().jo.post(at('drafts/999999/publish/'), wish)).status).toBe(404)
  expect((await people().jo.post(at('versions/999999/call-off/'), why)).status).toBe(404)
})

test('there can be at most 20 catalogue drafts at a time', { tags: ['slow'] }, async () => {
  const text = await buildChangedCatalogue(people().jo, { price_cents: 2_222 })
  const keep = () => people().jo.post(at('drafts/'), { name: 'a.json', text })
  for (let turn = 0; turn < 20; turn += 1) expect((await keep()).status).toBe(200)
  expect(await keep()).toMatchObject({ status: 409, body: { __all__: [catalogueMessages.tooMany] } })
})
