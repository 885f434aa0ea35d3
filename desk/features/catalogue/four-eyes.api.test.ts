import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CatalogueFile, downloadCatalogue } from '#quality/support/catalogue-file.ts'
import { newPasskeyHolder, type PasskeyHolder } from '#quality/support/passkey-holder.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { applyCatalogue } from '#features/plans/server/catalogue.ts'
import { readCatalogue } from '#features/plans/server/plans.store.ts'
import { approvalActionName } from '#desk/features/approvals/approvals.contract.ts'
import { type ApprovalRequest, findApproval } from '#desk/features/approvals/server/approvals.store.ts'
import { confirmationMessages } from '#desk/features/staff/confirmation.contract.ts'
import { catalogueMessages, type DraftPage, publicationActionName } from './catalogue.contract.ts'
import { describeCatalogues } from './server/catalogue-requests.view.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })
const at = (rest = '') => `/api/desk/catalogue/${rest}`
const id = 'plan-30-5gb'

let jo: PasskeyHolder
let mere: Visitor
beforeAll(async () => {
  jo = await newPasskeyHolder(world(), demoStaff.admin)
  mere = await newStaffVisitor(world().deskUrl ?? '', demoStaff.lead)
})
beforeEach(async () => {
  const { standard } = await catalogues()
  await applyCatalogue(world().deps, { catalogue: standard, at: null, actor: { by: 'operator', name: 'Tom' } })
})

async function catalogues() {
  const { content } = await world()
    .db.selectFrom('catalogue_versions')
    .select('content')
    .orderBy('number')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { standard: content }
}

type Plan = CatalogueFile['plans'][number] & { free?: boolean; sku: string | null; code: string }
type Edit = (plans: Plan[]) => Plan[]
const set =
  (changes: Partial<Plan>, of = id): Edit =>
  (plans) =>
    plans.map((plan) => (plan.unique_id === of ? { ...plan, ...changes } : plan))
const add =
  (changes: Partial<Plan>): Edit =>
  (plans) => [
    ...plans,
    { ...plans.find(({ unique_id }) => unique_id === id)!, unique_id: 'new', sku: 'NEW', code: 'NEW', ...changes },
  ]

async function draft(edit: Edit) {
  const file = await downloadCatalogue(jo)
  const text = JSON.stringify({ ...file, plans: edit(file.plans as Plan[]) })
  return jo.post(at('drafts/'), { name: 'catalogue.json', text })
}
const shown = async (number: number): Promise<DraftPage> => (await jo.get(at(`drafts/${number}/`))).body

async function publish(edit: Edit, { how = 'publish' as 'publish' | 'ask', time = '' } = {}) {
  const { number } = (await draft(edit)).body
  const page = await shown(number)
  const wish = { hash: page.draft.hash, when: time ? 'then' : 'now', at: time, reason: 'prices', note: '' }
  const answer = await jo.confirm(publicationActionName(how, { ...wish, number }))
  const { status, body } = await jo.post(at(`drafts/${number}/${how}/`), { ...wish, answer })
  return { status, body, better: page.better, number, wish }
}
const approve = (approval: string) =>
  mere.post(`/api/desk/approvals/${approval}/decide/`, { decision: 'approved', words: '' })
const priceShown = async (of = id): Promise<string | undefined> =>
  (await world().visitor().get('/api/products/')).body[of]?.price
const second = { status: 403, body: { code: catalogueMessages.needsApproval, second_person: true } }

describe('catalogue changes that one person can or cannot publish alone', () => {
  test.each([
    ['a price cut of more than 20 %', set({ price_cents: 1_700 })],
    ['a price cut to one cent', set({ price_cents: 1 })],
    ['a price of zero for a product marked as free', set({ price_cents: 0, free: true })],
    ['a lower auto-renewal price', set({ price_rebill_cents: 1 })],
    ['more data', set({ data_gb: 10 })],
    ['a different plan to renew onto', set({ next_product_id: 'plan-30-1-5gb' })],
    ['a different SKU for the network', set({ sku: 'ANOTHER' })],
    ['a new product cheaper than any other', add({ price_cents: 1, price_rebill_cents: null })],
    ['a new product that renews for less than any other', add({ price_rebill_cents: 1 })],
  ])('one person alone cannot publish a change in the customers’ favour: %s', async (_, edit) => {
    const before = await world().db.transaction().execute(readCatalogue)
    const { better, ...answer } = await publish(edit)
    expect(answer).toMatchObject(second)
    expect(better).not.toEqual([])
    expect(await world().db.transaction().execute(readCatalogue)).toEqual(before)
  })

  test('one person alone can lower a price by up to 20 % and hide a product', async () => {
    expect(await publish(set({ price_cents: 1_760 }))).toMatchObject({ status: 200, better: [] })
    expect(await publish(set({ hidden: true }, 'plan-30-25gb'))).toMatchObject({ status: 200, better: [] })
    expect([await priceShown(), await priceShown('plan-30-25gb')]).toEqual(['17.60', undefined])
  })

  test('one person alone cannot lower a price step by step to more than 20 % below the approved price', async () => {
    expect((await publish(set({ price_cents: 1_900 }))).status).toBe(200)
    expect((await publish(set({ price_cents: 1_770 }))).status).toBe(200)
    const third = await publish(set({ price_cents: 1_700 }))
    expect(third).toMatchObject({
      ...second,
      better: ['5 GB Prepay Plan (30 days): price falls from $22.00 to $17.00 (-22.7 %)'],
    })
    expect(await priceShown()).toBe('17.70')
  })

  test('one person alone cannot bring a removed product back at a price that is more than 20 % lower', async () => {
    const without: Edit = (plans) => plans.filter(({ unique_id: of }) => of !== 'plan-365-60gb')
    const [year] = (await downloadCatalogue(jo)).plans.filter(({ unique_id: of }) => of === 'plan-365-60gb') as Plan[]
    const asked = await publish((plans) => set({ price_cents: 2_300 })(without(plans)), { how: 'ask' })
    expect((await approve(asked.body.id)).status).toBe(200)
    const again = await publish((plans) => [...plans, { ...year!, price_cents: 42_000 }])
    expect(again).toMatchObject(second)
    expect(again.better).toContainEqual(expect.stringContaining('price falls from $531.00 to $420.00 (-20.9 %)'))
  })

  test('one person alone cannot publish a price of one cent for a one-year plan', async () => {
    const { status } = await publish(set({ price_cents: 1 }, 'plan-365-60gb'))
    expect([status, await priceShown('plan-365-60gb')]).toEqual([403, '531.00'])
  })
})

test('the approver sees the same price comparison as the requester, and later prices are compared with the approved one', async () => {
  const edit = set({ price_cents: 1_500, price_rebill_cents: null })
  const { body, better } = await publish(edit, { how: 'ask' })
  const card = (await mere.get('/api/desk/approvals/')).body.to_decide.find(
    (each: { id: string }) => each.id === body.id,
  )
  expect(card.better).toEqual(better)
  expect(better).toContain('5 GB Prepay Plan (30 days): price falls from $22.00 to $15.00 (-31.8 %)')
  expect((await approve(body.id)).status).toBe(200)
  expect(await priceShown()).toBe('15.00')
  expect((await publish(set({ price_cents: 1_200 }))).status).toBe(200)
  expect(await publish(set({ price_cents: 1_199 }))).toMatchObject(second)
})

test('an approval request lists the first twelve changes in a catalogue draft and says how many more there are', async () => {
  const { body, better } = await publish((plans) => plans.map((plan) => ({ ...plan, data_gb: plan.data_gb * 2 })), {
    how: 'ask',
  })
  const card = (await mere.get('/api/desk/approvals/')).body.to_decide.find(
    (each: { id: string }) => each.id === body.id,
  )
  expect(card.better).toEqual([...better.slice(0, 12), `And ${better.length - 12} more: see the draft’s page`])
})

test('listing approvals reads the content of a catalogue draft only once, even if several requests concern that draft', async () => {
  const { number, wish, body } = await publish(set({ price_cents: 1_500 }), { how: 'ask' })
  const refuse = (approval: string) =>
    mere.post(`/api/desk/approvals/${approval}/decide/`, { decision: 'refused', words: 'Not yet.' })
  expect((await refuse(body.id)).status).toBe(200)
  const answer = await jo.confirm(publicationActionName('ask', { ...wish, number }))
  const again = await jo.post(at(`drafts/${number}/ask/`), { ...wish, answer })
  expect(again.status).toBe(200)
  expect((await refuse(again.body.id)).status).toBe(200)
  const own: { subject: string; changes: number }[] = (await jo.get('/api/desk/approvals/')).body.own
  expect(own.filter(({ subject }) => subject === String(number)).map(({ changes }) => changes)).toEqual([1, 1])
  const asked = await Promise.all([body.id, again.body.id].map((approval) => findApproval(world().deps.db, approval)))
  let draftReads = 0
  const counted = world().deps.db.withPlugin({
    transformQuery({ node }) {
      if (JSON.stringify(node).includes('"catalogue_drafts"')) draftReads++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const described = await describeCatalogues(counted, asked as ApprovalRequest<'catalogue'>[])
  expect(described.map(([, { changes }]) => changes)).toEqual([1, 1])
  expect(draftReads).toBe(2)
})

test('a catalogue version scheduled by one person does not go on sale if two people have since approved a much higher price', async () => {
  const edit = set({ price_cents: 1_800 })
  const { number } = (await draft(edit)).body
  const { next_month: time } = await shown(number)
  const scheduled = await publish(edit, { time })
  expect(scheduled.status).toBe(200)
  const dearer = await publish(set({ price_cents: 3_000 }), { how: 'ask' })
  expect((await approve(dearer.body.id)).status).toBe(200)
  await world().advance('P32D')
  await expect
    .poll(async () => (await jo.get(at(`versions/${scheduled.body.version}/`))).body.version.state)
    .toBe('called off')
  expect(await priceShown()).toBe('30.00')
  const task = await world()
    .db.selectFrom('operator_tasks')
    .select('reason')
    .where('kind', '=', 'catalogue')
    .where('subject', '=', `version-${scheduled.body.version}`)
    .executeTakeFirst()
  expect(task?.reason).toContain(`Version ${scheduled.body.version} of the catalogue was due but was not put on sale`)
})

test(
  'a catalogue version scheduled by one person does not go on sale if two people have since approved a lower price',
  { tags: ['slow'] },
  async () => {
    const edit = set({ price_cents: 2_100 })
    const { next_month: time } = await shown((await draft(edit)).body.number)
    const scheduled = await publish(edit, { time })
    expect(scheduled.status).toBe(200)
    const cheaper = await publish(set({ price_cents: 1_500 }), { how: 'ask' })
    expect((await approve(cheaper.body.id)).status).toBe(200)
    await world().advance('P32D')
    await expect
      .poll(async () => (await jo.get(at(`versions/${scheduled.body.version}/`))).body.version.state)
      .toBe('called off')
    expect(await priceShown()).toBe('15.00')
  },
)

test('a catalogue file with a price of 0 is rejected unless the product is marked as free', async () => {
  const fault = (field: string) =>
    `line 1: plans.4.${field}: ${id} would cost nothing. If it is meant to be free, add "free": true.`
  const index = (await downloadCatalogue(jo)).plans.findIndex(({ unique_id: of }) => of === id)
  const lines = (await draft(set({ price_cents: 0, price_rebill_cents: 0 }))).body.text
  expect(lines).toEqual(
    ['price_cents', 'price_rebill_cents'].map((field) => fault(field).replace('plans.4', `plans.${index}`)),
  )
  expect((await draft(set({ free: true }))).body.text).toEqual([
    `line 1: plans.${index}.free: ${id} is marked as free, but none of its prices is 0.`,
  ])
  const { body } = await publish(set({ price_cents: 0, price_rebill_cents: null, free: true }), { how: 'ask' })
  expect((await approve(body.id)).status).toBe(200)
  expect(await priceShown()).toBe('0.00')
  expect((await downloadCatalogue(jo)).plans[index]).toMatchObject({ price_cents: 0, free: true })
})

describe('passkey confirmation for catalogue changes', () => {
  async function ready() {
    const { number } = (await draft(set({ price_cents: 2_100 }))).body
    const wish = { hash: (await shown(number)).draft.hash, when: 'now', at: '', reason: 'prices', note: '' }
    const act = publicationActionName('publish', { ...wish, number })
    const send = (answer?: object) => jo.post(at(`drafts/${number}/publish/`), { ...wish, ...(answer && { answer }) })
    return { number, wish, act, send }
  }

  test.each(['publish', 'ask'])(
    'the %s endpoint of a catalogue draft needs a passkey confirmation, however recent the sign-in',
    async (how) => {
      const { number, wish } = await ready()
      expect(await jo.post(at(`drafts/${number}/${how}/`), wish)).toMatchObject({
        status: 403,
        body: { code: confirmationMessages.needed },
      })
      expect(await priceShown()).toBe('22.00')
    },
  )

  test('a passkey confirmation works once, and only for the action, draft and session that it was made for', async () => {
    const failed = { status: 400, body: { __all__: [confirmationMessages.failed] } }
    const { number, wish, act, send } = await ready()
    expect(await send(await jo.confirm(publicationActionName('ask', { ...wish, number })))).toMatchObject(failed)
    expect(
      await send(await jo.confirm(publicationActionName('publish', { ...wish, number: number + 1 }))),
    ).toMatchObject(failed)
    const elsewhere = await newPasskeyHolder(world(), demoStaff.admin)
    expect(await send(await elsewhere.confirm(act))).toMatchObject(failed)
    const someoneElse = await newPasskeyHolder(world(), demoStaff.second)
    const { options } = (await jo.post('/api/desk/confirm/', { act })).body
    const origin = world().deskUrl ?? ''
    expect(await send(someoneElse.passkey.show({ origin, challenge: options.challenge }))).toMatchObject(failed)
    const begin = (await jo.post('/api/desk/sign-in/begin/')).body.options
    expect(await send(jo.passkey.show({ origin, challenge: begin.challenge }))).toMatchObject(failed)
    expect(await priceShown()).toBe('22.00')
    const answer = await jo.confirm(act)
    expect((await send(answer)).status).toBe(200)
    expect(await send(answer)).toMatchObject(failed)
  })

  test('approving a catalogue draft needs a passkey confirmation for that particular request', async () => {
    const { body } = await publish(set({ price_cents: 1_500 }), { how: 'ask' })
    const tom = await newPasskeyHolder(world(), demoStaff.second)
    const say = (answer?: object) =>
      tom.post(`/api/desk/approvals/${body.id}/decide/`, { decision: 'approved', words: '', ...(answer && { answer }) })
    const needed = { status: 403, body: { code: confirmationMessages.needed, confirm: true } }
    expect(await say()).toMatchObject(needed)
    const other = { status: 400, body: { __all__: [confirmationMessages.failed] } }
    expect(await say(await tom.confirm(approvalActionName(crypto.randomUUID())))).toMatchObject(other)
    expect(await priceShown()).toBe('22.00')
    expect((await say(await tom.confirm(approvalActionName(body.id)))).status).toBe(200)
    expect(await priceShown()).toBe('15.00')
  })

  test('a passkey confirmation for an action cannot be used to sign in', async () => {
    const answer = await jo.confirm('anything')
    expect((await jo.post('/api/desk/sign-in/', { answer })).status).toBe(400)
  })
})
