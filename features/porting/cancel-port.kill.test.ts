import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import type { PortView } from '#app/operator/ports.present.ts'
import { call } from '#operator/send-request.ts'
import { activate, portForm } from '#quality/support/activation-journey.ts'
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

const ask = (method: 'GET' | 'POST', path: string) =>
  call({ dataDir: world.dataDir }, method, path).catch(nullIfUnreachable)
const portOf = async (id: string) => (await ask('GET', `/ports/${id}`))?.body as PortView | undefined

const cancelUntilDone = (id: string): Promise<PortView> =>
  retryAcrossRestarts(world, async () => {
    await ask('POST', `/ports/${id}/cancel`)
    const port = await portOf(id)
    return port?.ended ? port : null
  })

test('a number transfer is cancelled exactly once, with one email, even if the process is killed at five different points', async () => {
  const number = '+64275550177'
  world.network.seed({ ports: [{ msisdn: number, behaviour: 'waits_for_reply' }] })
  const { orderCode, email } = await activate(world, { port: portForm(number), voucher: await world.newVoucher() })
  const id = `${orderCode}-port-1`
  await pollUntil(async () => (await portOf(id))?.sub_state === 'awaitingCustomerReply')

  const moments = [
    beforeWriting(/^update "porting_requests" set .* CANCELLING/),
    before('cancelPort'),
    lost('cancelPort'),
    beforeWriting(/^update "porting_requests" set .* CANCELLED/),
    beforeWriting(/^insert into "messages" .*"port:[^ ]*:CANCELLED/),
  ]
  const port = await runThroughKills(world, moments, () => cancelUntilDone(id))
  expect(port).toMatchObject({ status: 'CANCELLED', number: formatNational(number) })
  expect(port.events.filter(({ event }) => event === 'cancel' || event === 'cancelled')).toHaveLength(2)

  expect(world.ledgers().network.filter(({ external_id: each }) => each === id)).toMatchObject([{ state: 'cancelled' }])
  const told = async () => (await world.mailTo(email)).filter(({ subject }) => subject.endsWith('was cancelled')).length
  await pollUntil(async () => (await told()) > 0)
  expect(await told()).toBe(1)
  expect(await world.auditAfterwards()).toEqual([])
  expect(world.product.complaints()).toEqual([])
})
