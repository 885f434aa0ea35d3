import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TaskView } from '#app/operator/tasks.routes.ts'
import { call } from '#operator/send-request.ts'
import { endLeasesAndStartProduct } from '#quality/support/end-leases.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld()
})
afterAll(() => world?.close())

/** Returns the open tasks' reasons, or `null` while the server is down. */
async function tasks(): Promise<string[] | null> {
  const answer = await call({ dataDir: world.dataDir }, 'GET', '/tasks').catch(() => null)
  return answer && (answer.body as TaskView[]).map(({ reason }) => reason)
}

const advance = (duration: string): Promise<unknown> =>
  world
    .visitor()
    .post('/demo/api/clock/', { advance: duration })
    .catch(() => null)

async function killBeforeStatement(statement: RegExp, duration: string): Promise<void> {
  const dead = world.product.death()
  await world.product.killBeforeStatement(statement)
  await Promise.all([advance(duration), dead])
  await endLeasesAndStartProduct(world)
}

test('an unconfirmed capture creates a task and takes the money only once, no matter when the server is killed', async () => {
  await world.setWebhooks('hold')
  const { orderCode } = await activate(world)
  await killBeforeStatement(/^update "unconfirmed_calls" set "step"/, 'PT61M')
  await killBeforeStatement(/^update "unconfirmed_calls" set "retry_at"/, 'PT1M')
  await killBeforeStatement(/^insert into "operator_tasks"/, 'PT24H')
  const told = [`${orderCode} ${orderCode}-1 is captured in our records, but the gateway has never confirmed it`]
  await pollUntil(async () => JSON.stringify(await tasks()) === JSON.stringify(told), { withinMs: 90_000 })
  expect(world.ledgers().gateway.filter(({ reference }) => reference.startsWith(orderCode))).toMatchObject([
    { authorised: 2200, captured: 2200, cancelled: 0 },
  ])
  await world.setWebhooks('normal')
  await pollUntil(async () => (await tasks())?.length === 0, { withinMs: 90_000 })
  expect(world.product.complaints()).toEqual([])
})

test(
  'our records match the gateway’s and the network’s after an unconfirmed capture during which the server was killed',
  async () => expect(await world.auditAfterwards()).toEqual([]),
  60_000,
)
