import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import type { PortView } from '#app/operator/ports.present.ts'
import { call } from '#operator/call.ts'
import { activate, portAnswers } from '#testing/journey.ts'
import { type KillableWorld, startKillableWorld } from '#testing/killable.ts'
import { unlessGone } from '#testing/unless-gone.ts'
import { until } from '#testing/until.ts'

let world: KillableWorld
beforeAll(async () => {
  world = await startKillableWorld()
  await world.product.start()
}, 120_000)
afterAll(() => world?.close())

/** A moment at which the product is killed: lays the trap, and answers what resolves when it is dead. */
type Moment = () => Promise<{ dead: Promise<void> }>

const atCancel =
  (when: 'before' | 'after'): Moment =>
  async () => {
    const held = world.hold('cancelPort', when)
    return { dead: held.reached.then(() => world.product.kill()).then(held.drop) }
  }

const beforeWriting =
  (statement: RegExp): Moment =>
  async () => {
    const dead = world.product.death()
    await world.product.dieBefore(statement)
    return { dead }
  }

const ask = (method: 'GET' | 'POST', path: string) => call({ dataDir: world.dataDir }, method, path).catch(unlessGone)
const portOf = async (id: string) => (await ask('GET', `/ports/${id}`))?.body as PortView | undefined

/** An operator who gives the same command again and again, whatever becomes of it, until the transfer is over. */
async function cancelUntilDone(id: string): Promise<PortView> {
  for (const end = performance.now() + 150_000; performance.now() < end; await pause(100)) {
    await ask('POST', `/ports/${id}/cancel`)
    const port = await portOf(id)
    if (port?.ended) return port
  }
  throw new Error('it is not over')
}

test('a transfer that is called off survives that the product is killed, from its intent to its mail: once, on both sides', async () => {
  const number = '+64275550177'
  world.network.seed({ ports: [{ msisdn: number, behaviour: 'waits_for_reply' }] })
  const { orderCode, email } = await activate(world, { port: portAnswers(number), voucher: await world.newVoucher() })
  const id = `${orderCode}-port-1`
  await until(async () => (await portOf(id))?.sub_state === 'awaitingCustomerReply')

  const moments = [
    beforeWriting(/^update "porting_requests" set .* CANCELLING/),
    atCancel('before'),
    atCancel('after'),
    beforeWriting(/^update "porting_requests" set .* CANCELLED/),
    beforeWriting(/^insert into "messages" .*"port:[^ ]*:CANCELLED/),
  ]
  let end: Promise<PortView> | undefined
  for (const lay of moments) {
    const { dead } = await lay()
    if (end) await world.product.start()
    end ??= cancelUntilDone(id)
    await Promise.race([dead, end.then(() => dead)])
  }
  await world.product.start()
  const port = await end
  expect(port).toMatchObject({ status: 'CANCELLED', number: formatNational(number) })
  expect(port?.events.filter(({ event }) => event === 'cancel' || event === 'cancelled')).toHaveLength(2)

  expect(world.ledgers().network.filter(({ external_id: each }) => each === id)).toMatchObject([{ state: 'cancelled' }])
  const told = async () => (await world.mailTo(email)).filter(({ subject }) => subject.endsWith('was cancelled')).length
  await until(async () => (await told()) > 0)
  expect(await told()).toBe(1)
  expect(await world.auditAfterwards()).toEqual([])
  expect(world.product.complaints()).toEqual([])
}, 240_000)
