/* @module-tag slow */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealCard } from '#quality/support/cards.ts'
import { type WizardVisitor, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

// The server's clock is ten minutes ahead. The gateway rejects cards encrypted more than five minutes in the future.
let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld({ env: { CLOCK_SKEW_SECONDS: '600' } })
})
afterAll(() => world?.close())

async function pay({ visitor, pay: send }: WizardVisitor): Promise<{ status: number; body: unknown }> {
  const told = (await visitor.get('/api/activate/')).headers.get('x-server-time') ?? ''
  const { status, body } = await send({ card: sealCard(world.publicKey, Temporal.Instant.from(told), 'Ana Rewi') })
  return { status, body }
}

test("a server with a wrong clock sends browsers the database's time, or the gateway's time after two rejected cards", async () => {
  const traveller = await advanceWizardTo(world, 'PAYMENT')
  const refused: unknown[] = []
  await pollUntil(async () => {
    const { status, body } = await pay(traveller)
    if (status !== 200) refused.push({ status, body })
    return status === 200
  })
  await traveller.arriveAt('SUCCESSFUL')
  // The embedded database uses the host's wrong clock. The error must not ask the customer to check their card.
  const ours = { status: 400, body: { __all__: ['Something went wrong. Please try refreshing the page.'] } }
  expect(refused).toEqual(world.databaseUrl ? [] : [ours, ours])
}, 240_000)
