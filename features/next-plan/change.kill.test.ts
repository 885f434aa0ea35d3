import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countEmails, createOtherCustomer, getProviderRecords } from '#quality/support/kill-test-helpers.ts'
import {
  retryAcrossRestarts,
  type KillMoment,
  createKillMoments,
  runThroughKills,
} from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { readNextPlan } from '#quality/support/next-plan.ts'
import { type PaymentOptions, renew } from '#quality/support/purchases.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'

let world: KillTestWorld
let visitor: Visitor
let email: string
let service: { id: string; shortId: string }
beforeAll(async () => {
  world = await startKillTestWorld()
})
beforeEach(() => world.product.start())
afterAll(() => world?.close())

async function beNewcomer(): Promise<void> {
  ;({ visitor, email, service } = await createOtherCustomer(world))
}

const { before, lost, beforeWriting, beforeState } = createKillMoments(() => world)

function changeUntilAnswered(paying: PaymentOptions, insteadOf: string): Promise<Answer> {
  const whole = { ...paying, key: crypto.randomUUID(), body: { starts: 'at_end', instead_of: insteadOf } }
  return retryAcrossRestarts(world, async () => {
    const answer = await renew(world, visitor, service, whole)
    return answer.status !== 202 && answer.status < 500 ? answer : null
  })
}

const mailsAbout = (orderCode: string, subject: RegExp) => countEmails(world, { email, orderCode, subject })
const mailed = (orderCode: string, subject: RegExp) =>
  pollUntil(async () => (await mailsAbout(orderCode, subject)) === 1, { withinMs: 60_000 })

const lives: Record<string, KillMoment[]> = {
  'while the new plan is being ordered': [
    beforeWriting(/^insert into "orders"/),
    lost('authorise'),
    beforeState('adding_plan'),
    lost('plan'),
  ],
  'while the new plan is replacing the old one': [
    before('capture'),
    lost('capture'),
    beforeState('cancelling'),
    beforeWriting(/^delete from "queued_plans"/),
    beforeWriting(/^insert into "cancelled_plans"/),
    beforeState('finishing'),
    beforeWriting(/^insert into "queued_plans"/),
  ],
  // The network may remove the old plan before or after the new plan is invoiced, so test the invoice and the refund separately.
  'while the new plan is being invoiced': [beforeWriting(/^insert into "invoices"/)],
  'while the old plan is being refunded': [
    lost('unplan'),
    beforeState('cancelled'),
    beforeWriting(/^insert into "refunds"/),
    lost('refund'),
  ],
}

describe('changing the next plan while the server is killed', () => {
  test.each(Object.entries(lives))(
    'a change to the next plan completes even if the server is killed %s',
    async (_which, moments) => expect(await live(moments)).toBe(true),
    300_000,
  )

  test('the old next plan is kept if the payment for a new one is declined, even if the server is killed in the meantime', async () => {
    const old = await buy()
    const moments = [lost('authorise'), beforeState('refused')]
    const declined = { product: 'plan-30-15gb', card: world.card('DECLINED') }
    const { status } = await runThroughKills(world, moments, () => changeUntilAnswered(declined, old))
    expect(status).toBe(400)
    expect(await readNextPlan({ customer: { visitor }, service })).toMatchObject({
      title: expect.stringMatching(/^5 GB/),
    })
    expect(getProviderRecords(world, old)).toEqual({
      gateway: [{ captured: 2200, refunded: 0 }],
      network: ['add_plan completed'],
    })
  }, 300_000)

  test('our records match the gateway’s and the network’s after the server was killed during changes to the next plan', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  })
})

async function buy(): Promise<string> {
  await beNewcomer()
  const { status, body } = await renew(world, visitor, service, {
    card: world.card(),
    product: 'plan-30-5gb',
    body: { starts: 'at_end' },
  })
  expect(status).toBe(200)
  await mailed(body.order_code, /is renewed$/)
  return body.order_code
}

async function live(moments: KillMoment[]): Promise<boolean> {
  const old = await buy()
  const paying = { product: 'plan-30-15gb', card: world.card() }
  const { status, body } = await runThroughKills(world, moments, () => changeUntilAnswered(paying, old))
  expect([status, body]).toEqual([200, { order_code: expect.any(String) }])
  await mailed(body.order_code, /is renewed$/)
  await mailed(old, /is cancelled$/)
  await mailed(old, /^Your refund of/)
  expect(getProviderRecords(world, old)).toEqual({
    gateway: [{ captured: 2200, refunded: 2200 }],
    network: ['add_plan completed', 'remove_plan completed'],
  })
  expect(getProviderRecords(world, body.order_code)).toEqual({
    gateway: [{ captured: 3600, refunded: 0 }],
    network: ['add_plan completed'],
  })
  expect(await readNextPlan({ customer: { visitor }, service })).toMatchObject({
    title: expect.stringMatching(/^15 GB/),
  })
  return true
}
