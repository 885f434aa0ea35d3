import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import type { PortView } from '#app/operator/ports.present.ts'
import { call } from '#operator/call.ts'
import { activate, portAnswers } from '#quality/support/journey.ts'
import { acrossLives, momentsIn, throughMoments } from '#quality/support/kill-moments.ts'
import { type KillableWorld, startKillableWorld } from '#quality/support/killable.ts'
import { unlessGone } from '#quality/support/unless-gone.ts'
import { until } from '#quality/support/until.ts'

let world: KillableWorld
beforeAll(async () => {
  world = await startKillableWorld()
  await world.product.start()
}, 120_000)
afterAll(() => world?.close())

const { before, lost, beforeWriting } = momentsIn(() => world)

const ask = (method: 'GET' | 'POST', path: string) => call({ dataDir: world.dataDir }, method, path).catch(unlessGone)
const portOf = async (id: string) => (await ask('GET', `/ports/${id}`))?.body as PortView | undefined

const cancelUntilDone = (id: string): Promise<PortView> =>
  acrossLives(world, async () => {
    await ask('POST', `/ports/${id}/cancel`)
    const port = await portOf(id)
    return port?.ended ? port : null
  })

test('cancelling a number transfer survives kills at five moments, and happens once on both sides, with one email', async () => {
  const number = '+64275550177'
  world.network.seed({ ports: [{ msisdn: number, behaviour: 'waits_for_reply' }] })
  const { orderCode, email } = await activate(world, { port: portAnswers(number), voucher: await world.newVoucher() })
  const id = `${orderCode}-port-1`
  await until(async () => (await portOf(id))?.sub_state === 'awaitingCustomerReply')

  const moments = [
    beforeWriting(/^update "porting_requests" set .* CANCELLING/),
    before('cancelPort'),
    lost('cancelPort'),
    beforeWriting(/^update "porting_requests" set .* CANCELLED/),
    beforeWriting(/^insert into "messages" .*"port:[^ ]*:CANCELLED/),
  ]
  const port = await throughMoments(world, moments, () => cancelUntilDone(id))
  expect(port).toMatchObject({ status: 'CANCELLED', number: formatNational(number) })
  expect(port.events.filter(({ event }) => event === 'cancel' || event === 'cancelled')).toHaveLength(2)

  expect(world.ledgers().network.filter(({ external_id: each }) => each === id)).toMatchObject([{ state: 'cancelled' }])
  const told = async () => (await world.mailTo(email)).filter(({ subject }) => subject.endsWith('was cancelled')).length
  await until(async () => (await told()) > 0)
  expect(await told()).toBe(1)
  expect(await world.auditAfterwards()).toEqual([])
  expect(world.product.complaints()).toEqual([])
}, 240_000)
