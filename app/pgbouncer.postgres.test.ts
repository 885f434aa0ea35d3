import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { type Pooler, startPooler } from '#quality/support/pgbouncer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

// A connection pooler may use a different database session for each transaction, so the application must not rely on session state.
let pooler: Pooler
let direct: KillTestWorld
let pooled: KillTestWorld
beforeAll(async () => {
  const env = { LOG_LEVEL: 'warn' }
  direct = await startKillTestWorld({ env })
  pooled = await startKillTestWorld({
    env: { ...env, DATABASE_PREPARED_STATEMENTS: 'off' },
    via: async (url) => {
      pooler = await startPooler(url)
      return pooler.url
    },
  })
})
afterAll(async () => {
  await Promise.all([direct?.close(), pooled?.close()])
  await pooler?.stop()
})

/** Buys a plan. Returns the milliseconds from the payment until the SIM is active. */
async function purchase(world: KillTestWorld): Promise<number> {
  const ana = await advanceWizardTo(world, 'PAYMENT')
  const pressed = performance.now()
  expect((await ana.pay()).status).toBe(200)
  await ana.arriveAt('SUCCESSFUL')
  return performance.now() - pressed
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

test('a purchase through a connection pooler takes at most 1.5 times as long as without a pooler', async () => {
  const times = { direct: [] as number[], pooled: [] as number[] }
  for (let round = 0; round < 7; round++) {
    // Direct and pooled purchases alternate, so that any other load on the machine affects both measurements equally.
    times.direct.push(await purchase(direct))
    times.pooled.push(await purchase(pooled))
  }
  const ratio = median(times.pooled) / median(times.direct)
  console.log(
    `a purchase behind a pooler: ${median(times.pooled).toFixed(0)} ms, ${ratio.toFixed(2)} times that without`,
  )
  expect(ratio).toBeLessThan(1.5)
})

test('simultaneous purchases through a connection pooler all complete and send their emails, and no warnings are logged', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => advanceWizardTo(pooled, 'PAYMENT')))
  const answers = await Promise.all(people.map((each) => each.pay()))
  expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200))
  for (const each of people) {
    await each.arriveAt('SUCCESSFUL')
    await pollUntil(async () => (await pooled.mailTo(each.email)).length > 0)
  }
  expect(await pooled.auditAfterwards()).toEqual([])
  expect(pooled.product.complaints().filter((line) => line.includes('"level"'))).toEqual([])
})
