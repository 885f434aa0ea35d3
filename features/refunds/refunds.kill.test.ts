import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderView } from '#desk/features/orders/server/order-view.ts'
import { call } from '#operator/send-request.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { retryAcrossRestarts, createKillMoments, runThroughKills } from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { nullIfUnreachable } from '#quality/support/null-if-unreachable.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld()
  await world.product.start()
})
afterAll(() => world?.close())

const { before, lost, beforeWriting } = createKillMoments(() => world)

function refundUntilDone(code: string, amount: string): Promise<OrderView> {
  const caller = { dataDir: world.dataDir }
  return retryAcrossRestarts(world, async () => {
    const shown = await call(caller, 'GET', `/orders/${code}`).catch(nullIfUnreachable)
    const order = shown?.body as OrderView | undefined
    if (order?.refunds.some(({ state }) => state === 'received')) return order
    if (order?.refunds.length === 0)
      await call(caller, 'POST', `/orders/${code}/refund`, { json: { amount } }).catch(nullIfUnreachable)
    return null
  })
}

test.each([
  ['the whole payment', '22.00', 2200],
  ['a part of the payment', '10.00', 1000],
])(
  'a refund of %s is made once, with one credit note and one email, even if the process is killed at each step',
  async (_, amount, refunded) => {
    const { orderCode, email } = await activate(world)
    await pollUntil(async () => (await world.mailTo(email)).length === 1)
    const moments = [
      beforeWriting(/^insert into "refunds"/),
      before('refund'),
      lost('refund'),
      beforeWriting(/^insert into "invoices"/),
      beforeWriting(/^insert into "messages"/),
      beforeWriting(/^update "messages" set "sent_at"/),
    ]
    const order = await runThroughKills(world, moments, () => refundUntilDone(orderCode, amount))
    expect(order.documents.map(({ document_type, total_price }) => [document_type, total_price])).toEqual([
      ['invoice', '22.00'],
      ['credit', `-${amount}`],
    ])
    const ours = world.ledgers().gateway.filter(({ reference }) => reference.startsWith(`${orderCode}-`))
    expect(ours).toMatchObject([{ authorised: 2200, captured: 2200, refunded, cancelled: 0 }])
    await pollUntil(async () => (await world.mailTo(email)).length === 2, { withinMs: 60_000 })
    expect(world.product.complaints()).toEqual([])
  },
  240_000,
)

test(
  'our records match the gateway’s and the network’s after the process was killed during refunds',
  async () => expect(await world.auditAfterwards()).toEqual([]),
  120_000,
)
