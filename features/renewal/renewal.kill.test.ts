import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Service } from '#features/services/services.contract.ts'
import { advanceClockTo, zone } from '#quality/support/auto-renewal.ts'
import {
  retryAcrossRestarts,
  type KillMoment,
  createKillMoments,
  runThroughKills,
} from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { buyAddOn, type PaymentOptions, renew, resumeOrder } from '#quality/support/purchases.ts'
import { registerCustomer } from '#quality/support/register-customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'

let world: KillTestWorld
let visitor: Visitor
let email: string
let service: { id: string; shortId: string }
beforeAll(async () => {
  world = await startKillTestWorld()
  ;({ visitor, email } = await registerCustomer(world))
  const [first] = Object.values(
    (await visitor.get('/api/services/')).body as Record<string, { uuid: string; plan_short_id: string }>,
  )
  if (!first) throw new Error('a customer who has activated a SIM has a service')
  service = { id: first.uuid, shortId: first.plan_short_id }
})
beforeEach(() => world.product.start())
afterAll(() => world?.close())

const { before, lost, beforeWriting, beforeState } = createKillMoments(() => world)

function repeatUntilAnswered(
  press: (paying: PaymentOptions) => Promise<Answer>,
  paying: PaymentOptions,
): Promise<Answer> {
  const whole = { card: world.card(paying.holder), ...paying, key: crypto.randomUUID() }
  let code: string | null = null
  return retryAcrossRestarts(world, async () => {
    const answer = await (code ? resumeOrder(visitor, code) : press(whole))
    if (answer.status === 202) code = answer.body.order_code
    else if (answer.status < 500) return answer
    return null
  })
}

function ledgerSince(start: { gateway: number; network: number }) {
  const { gateway, network } = world.ledgers()
  return {
    gateway: gateway
      .slice(start.gateway)
      .map(({ authorised, captured, cancelled }) => ({ authorised, captured, cancelled })),
    network: network.slice(start.network).map(({ action, state }) => `${action} ${state}`),
  }
}

type Life = {
  moments: KillMoment[]
  paying: PaymentOptions
  setUp?(): void
  press?: typeof buyAddOn
  status?: number
  gateway: ReturnType<typeof ledgerSince>['gateway']
  network: string[]
  later?: true
}

const paid = (amount: number) => [{ authorised: amount, captured: amount, cancelled: 0 }]
const plan = ['add_plan completed']

/*
 * `orders.kill` and `undone.kill` kill the process at every point of a payment, capture or cancellation. Those points
 * are the same for all orders, so they are not repeated here.
 */
const lives: Record<string, Life> = {
  'a renewal by card, while it is paid for': {
    moments: [beforeWriting(/^insert into "orders"/), lost('authorise')],
    paying: { product: 'plan-30-5gb' },
    gateway: paid(2200),
    network: plan,
  },
  'a renewal by the saved card, while its plan is added': {
    moments: [beforeState('adding_plan'), before('plan'), lost('plan'), beforeState('capturing')],
    paying: { product: 'plan-30-15gb', saved: true },
    gateway: paid(3600),
    network: plan,
  },
  'a renewal, before the schedule, the invoice and the message': {
    moments: [
      beforeWriting(/^update "schedules" set "order_id"/),
      beforeWriting(/^insert into "invoices"/),
      beforeWriting(/^insert into "messages"/),
    ],
    paying: { product: 'plan-30-15gb', saved: true },
    gateway: paid(3600),
    network: plan,
  },
  'a renewal by voucher': {
    moments: [beforeWriting(/^update "vouchers"/), lost('plan'), beforeState('finishing')],
    paying: { voucher: 'one' },
    gateway: [],
    network: plan,
  },
  'a renewal that the network refuses, while it is taken back': {
    moments: [beforeState('undoing'), lost('cancel')],
    paying: { product: 'plan-30-5gb', saved: true },
    setUp: () => world.network.fail({ operation: 'add_plan', kind: 'fail_permanent' }),
    status: 400,
    gateway: [{ authorised: 2200, captured: 0, cancelled: 2200 }],
    network: ['add_plan failed'],
  },
  'a voucher’s plan for later, which takes the place of nothing': {
    moments: [beforeWriting(/^insert into "orders"/), lost('plan'), beforeWriting(/^insert into "queued_plans"/)],
    paying: { voucher: 'one', body: { starts: 'at_end' } },
    gateway: [],
    network: plan,
    later: true,
  },
  'a plan for later, from its payment to its place in the queue': {
    moments: [
      beforeWriting(/^insert into "orders"/),
      lost('authorise'),
      beforeState('adding_plan'),
      lost('plan'),
      lost('capture'),
      beforeWriting(/^insert into "queued_plans"/),
      beforeWriting(/^insert into "messages"/),
    ],
    paying: { product: 'plan-7-500mb', saved: true, body: { starts: 'at_end' } },
    gateway: paid(600),
    network: plan,
    later: true,
  },
  'an add-on': {
    moments: [lost('authorise'), before('addon'), lost('addon'), lost('capture'), beforeState('completed')],
    press: buyAddOn,
    paying: { saved: true },
    gateway: paid(1000),
    network: ['add_addon completed'],
  },
}

const serviceNow = async () => (await visitor.get('/api/services/')).body[service.id] as Service

async function beginsOnItsDay(): Promise<void> {
  const { expiry_date: ends, schedules } = await serviceNow()
  const next = schedules[service.shortId]?.next_plan
  expect(next?.starts_on).toBe(ends)
  const end = Temporal.Instant.from(ends).toZonedDateTimeISO(zone)
  const moments = [/^delete from "queued_plans"/, /^update "schedules" set "order_id"/].map(beforeWriting)
  await runThroughKills(world, moments, () =>
    retryAcrossRestarts(world, () => advanceClockTo(world, end.add({ minutes: 1 })).then(() => true)),
  )
  const begun = await pollUntil(async () => {
    const now = await serviceNow()
    return !now.is_expired && now
  })
  const last = end.add({ days: next?.length ?? 0 }).toInstant()
  expect([begun.expiry_date, begun.schedules[service.shortId]?.next_plan]).toEqual([
    last.toString({ fractionalSecondDigits: 3 }),
    null,
  ])
}

async function mailsOf(orderCode: string): Promise<number> {
  const ours = async () => (await world.mailTo(email)).filter(({ text }) => text.includes(orderCode)).length
  await pollUntil(async () => (await ours()) > 0, { withinMs: 60_000 })
  return ours()
}

describe('renewals and add-ons while the process is killed', () => {
  // All cases run one after another for the same service, so each case renews the plan that the previous case left behind.
  test.each(Object.entries(lives))(
    'an order is completed or undone correctly even if the process is killed: %s',
    async (_which, { moments, paying, setUp, press = renew, status = 200, gateway, network, later }) => {
      setUp?.()
      const lines = world.ledgers()
      const start = { gateway: lines.gateway.length, network: lines.network.length }
      const voucher = paying.voucher && (await world.newVoucher())
      const answer = await runThroughKills(world, moments, () =>
        repeatUntilAnswered((whole) => press(world, visitor, service, whole), {
          ...paying,
          ...(voucher && { voucher }),
        }),
      )
      expect(answer.status).toBe(status)
      expect(ledgerSince(start)).toEqual({ gateway, network })
      if (status === 200) expect(await mailsOf(answer.body.order_code)).toBe(1) // oxlint-disable-line vitest/no-conditional-expect
      if (later) await beginsOnItsDay()
    },
    360_000,
  )

  test("our records match the gateway's and the network's after the process was killed during renewals and add-ons", async () => {
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.product.complaints()).toEqual([])
  })
})
