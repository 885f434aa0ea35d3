import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderView } from '#app/operator/orders.routes.ts'
import { call } from '#operator/call.ts'
import { activate } from '#testing/journey.ts'
import { type KillableWorld, startKillableWorld } from '#testing/killable.ts'
import { until } from '#testing/until.ts'

let world: KillableWorld
beforeAll(async () => {
  world = await startKillableWorld()
  await world.product.start()
}, 120_000)
afterAll(() => world?.close())

/** A moment at which the product is killed: lays the trap, and answers what resolves when it is dead. */
type Moment = () => Promise<{ dead: Promise<void> }>

const atRefund =
  (when: 'before' | 'after'): Moment =>
  async () => {
    const held = world.hold('refund', when)
    return { dead: held.reached.then(() => world.product.kill()).then(held.drop) }
  }

const beforeWriting =
  (statement: RegExp): Moment =>
  async () => {
    const dead = world.product.death()
    await world.product.dieBefore(statement)
    return { dead }
  }

/** An operator who gives the same command again and again, whatever becomes of it, until the order is refunded. */
async function refundUntilDone(code: string): Promise<OrderView> {
  for (const end = performance.now() + 150_000; performance.now() < end; await pause(100)) {
    await call({ dataDir: world.dataDir }, 'POST', `/orders/${code}/refund`).catch(onBrokenConnection)
    const shown = await call({ dataDir: world.dataDir }, 'GET', `/orders/${code}`).catch(onBrokenConnection)
    const order = shown?.body as OrderView | undefined
    if (order?.refund === 'received') return order
  }
  throw new Error('there is no refund')
}

function onBrokenConnection(error: unknown): null {
  if (
    error instanceof Error &&
    'code' in error &&
    ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(String(error.code))
  )
    return null
  throw error
}

test('a refund survives that the product is killed, from its intent to its mail: one refund, one note, one mail', async () => {
  const { orderCode, email } = await activate(world)
  await until(async () => (await world.mailTo(email)).length === 1)
  const moments = [
    beforeWriting(/^insert into "refunds"/),
    atRefund('before'),
    atRefund('after'),
    beforeWriting(/^insert into "invoices"/),
    beforeWriting(/^insert into "messages"/),
    beforeWriting(/^update "messages" set "sent_at"/),
  ]
  let end: Promise<OrderView> | undefined
  for (const moment of moments) {
    const { dead } = await moment()
    if (end) await world.product.start()
    end ??= refundUntilDone(orderCode)
    await Promise.race([dead, end.then(() => dead)])
  }
  await world.product.start()

  const order = await end
  expect(order?.documents.map(({ document_type, total_price }) => [document_type, total_price])).toEqual([
    ['invoice', '22.00'],
    ['credit', '-22.00'],
  ])
  const ours = world.ledgers().gateway.filter(({ reference }) => reference.startsWith(`${orderCode}-`))
  expect(ours).toMatchObject([{ authorised: 2200, captured: 2200, refunded: 2200, cancelled: 0 }])
  await until(async () => (await world.mailTo(email)).length === 2, { withinMs: 60_000 })
  expect(await world.auditAfterwards()).toEqual([])
  expect(world.product.complaints()).toEqual([])
}, 240_000)
