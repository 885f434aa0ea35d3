import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import type { PortView } from '#app/operator/ports.present.ts'
import { call } from '#operator/send-request.ts'
import { activate, portForm } from '#quality/support/activation-journey.ts'
import { createKillMoments, runThroughKills } from '#quality/support/kill-moments.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { nullIfUnreachable } from '#quality/support/null-if-unreachable.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld()
  await world.product.start()
})
afterAll(() => world?.close())

const portOf = async (id: string) =>
  (await call({ dataDir: world.dataDir }, 'GET', `/ports/${id}`).catch(nullIfUnreachable))?.body as PortView | undefined

async function play(msisdn: string, state: string): Promise<void> {
  const answer = await fetch(`${world.network.url}/_simulator/ports/play`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ msisdn, state }),
  })
  expect(answer.status).toBe(204)
}

test('asks for the customer’s reply to a transfer once by text and once by email, even if the process is killed', async () => {
  const number = '+64275550178'
  world.network.seed({ ports: [{ msisdn: number, behaviour: 'played' }] })
  const { orderCode, email, sim } = await activate(world, {
    port: portForm(number),
    voucher: await world.newVoucher(),
  })
  const id = `${orderCode}-port-1`
  await pollUntil(async () => (await portOf(id))?.sub_state === 'draft')

  const moments = [
    /^update "porting_requests" set .*awaitingCustomerReply|^update "?porting_requests"? set .*SUBMITTED/,
    /^insert into "porting_milestones"/,
    /^insert into "messages" .*"port-reply:/,
  ].map(createKillMoments(() => world).beforeWriting)
  await runThroughKills(world, moments, () => play(number, 'awaitingCustomerReply'))
  await pollUntil(async () => (await portOf(id))?.sub_state === 'awaitingCustomerReply')
  const asked = async () => ({
    texts: (await world.mailTo(sim.msisdn)).filter(({ text }) => text.includes('reply YES')).length,
    mails: (await world.mailTo(email)).filter(({ subject }) => subject.startsWith('Reply YES')).length,
  })
  await pollUntil(async () => (await asked()).texts > 0 && (await asked()).mails > 0)
  expect(await asked()).toEqual({ texts: 1, mails: 1 })
  expect(await world.mailTo(number)).toEqual([])

  await play(number, 'completed')
  await pollUntil(async () => (await portOf(id))?.status === 'COMPLETED')
  expect(await portOf(id)).toMatchObject({ number: formatNational(number) })
  expect(await world.auditAfterwards()).toEqual([])
  expect(world.product.complaints()).toEqual([])
})
