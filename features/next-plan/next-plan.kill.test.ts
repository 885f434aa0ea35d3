import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countEmails, createOtherCustomer, getProviderRecords } from '#quality/support/kill-test-helpers.ts'
import {
  retryAcrossRestarts,
  type KillMoment,
  createKillMoments,
  runThroughKills,
} from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { cancelNextPlan, readNextPlan } from '#quality/support/next-plan.ts'
import { type PaymentOptions, renew } from '#quality/support/purchases.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'

let world: KillTestWorld
let visitor: Visitor
let email: string
let service: { id: string; shortId: string }
const place = () => ({ customer: { visitor }, service })
beforeAll(async () => {
  world = await startKillTestWorld()
  await beNewcomer()
})
beforeEach(() => world.product.start())
afterAll(() => world?.close())

async function beNewcomer(): Promise<void> {
  ;({ visitor, email, service } = await createOtherCustomer(world))
}

const { before, lost, beforeWriting, beforeState } = createKillMoments(() => world)

const cancelUntilAnswered = (): Promise<Answer> =>
  retryAcrossRestarts(world, async () => {
    const answer = await cancelNextPlan(place())
    return answer.status < 500 ? answer : null
  })

const mailsAbout = (orderCode: string, subject: RegExp) => countEmails(world, { email, orderCode, subject })

type Life = { moments: KillMoment[]; paying: () => Promise<PaymentOptions>; refunds: number }
const byCard = async (): Promise<PaymentOptions> => ({ product: 'plan-30-5gb' })
const lives: Record<string, Life> = {
  'before the plan leaves the queue': {
    moments: [
      beforeState('cancelling'),
      beforeWriting(/^insert into "network_operations"/),
      beforeWriting(/^delete from "queued_plans"/),
      beforeWriting(/^insert into "cancelled_plans"/),
    ],
    paying: byCard,
    refunds: 1,
  },
  'while the network is removing the plan': {
    moments: [before('unplan'), lost('unplan'), beforeState('cancelled')],
    paying: byCard,
    refunds: 1,
  },
  'while the payment is being refunded': {
    moments: [
      beforeWriting(/^insert into "refunds"/),
      beforeWriting(/^insert into "messages"/),
      before('refund'),
      lost('refund'),
      beforeWriting(/^insert into "invoices"/),
    ],
    paying: byCard,
    refunds: 1,
  },
  'at each step of a plan that was paid with a voucher': {
    moments: [
      beforeState('cancelling'),
      lost('unplan'),
      beforeWriting(/^update "vouchers"/),
      beforeWriting(/^insert into "messages"/),
    ],
    paying: async () => ({ voucher: await world.newVoucher() }),
    refunds: 0,
  },
}

describe('cancelling a next plan while the server is killed', () => {
  test.each(Object.entries(lives))(
    'cancelling a next plan completes even if the server is killed %s',
    async (_which, life) => expect(await live(life)).toBe(true),
    300_000,
  )

  test('our records match the gateway’s and the network’s after the server was killed while cancelling customers’ next plans', async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  })
})

async function live({ moments, paying, refunds }: Life): Promise<boolean> {
  // A customer can cancel only three plans per service in 30 days, so the fourth case uses a new customer.
  if (refunds === 0) await beNewcomer()
  const bought = await renew(world, visitor, service, {
    card: world.card(),
    ...(await paying()),
    body: { starts: 'at_end' },
  })
  expect(bought.status).toBe(200)
  const code = bought.body.order_code as string
  await pollUntil(async () => (await mailsAbout(code, /is renewed$/)) === 1, { withinMs: 60_000 })
  const answer = await runThroughKills(world, moments, cancelUntilAnswered)
  expect(answer.status).toBe(200)
  expect(await readNextPlan(place())).toBeNull()
  await pollUntil(async () => (await mailsAbout(code, /is cancelled$/)) === 1, { withinMs: 60_000 })
  await pollUntil(async () => (await mailsAbout(code, /^Your refund of/)) === refunds, { withinMs: 60_000 })
  expect(getProviderRecords(world, code)).toEqual({
    gateway: refunds === 0 ? [] : [{ captured: 2200, refunded: 2200 }],
    network: ['add_plan completed', 'remove_plan completed'],
  })
  return true
}
