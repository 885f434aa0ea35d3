// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealCard } from '#quality/support/cards.ts'
import { type Traveller, travelTo } from '#quality/support/journey.ts'
import { type KillableWorld, startKillableWorld } from '#quality/support/killable.ts'
import { until } from '#quality/support/until.ts'

// Ten minutes ahead: the gateway takes cards that were encrypted up to five minutes from now.
let world: KillableWorld
beforeAll(async () => {
  world = await startKillableWorld({ env: { CLOCK_SKEW_SECONDS: '600' } })
}, 120_000)
afterAll(() => world?.close())

/** Pays as the page does: with a card that is encrypted under the time that the server says. */
async function pay({ visitor, pay: send }: Traveller): Promise<{ status: number; body: unknown }> {
  const told = (await visitor.get('/api/activate/')).headers.get('x-server-time') ?? ''
  const { status, body } = await send({ card: sealCard(world.publicKey, Temporal.Instant.from(told), 'Ana Rewi') })
  return { status, body }
}

test('with a clock that is wrong cards are taken: by the database’s, or after two by the gateway’s', async () => {
  const traveller = await travelTo(world, 'PAYMENT')
  const refused: unknown[] = []
  await until(async () => {
    const { status, body } = await pay(traveller)
    if (status !== 200) refused.push({ status, body })
    return status === 200
  })
  await traveller.arriveAt('SUCCESSFUL')
  // The embedded database goes by the host's clock. Nothing that a customer could check is wrong.
  const ours = { status: 400, body: { __all__: ['Something went wrong. Please try refreshing the page.'] } }
  expect(refused).toEqual(world.databaseUrl ? [] : [ours, ours])
}, 240_000)
