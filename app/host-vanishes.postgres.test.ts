import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { startTcpProxy, type TcpProxy } from '#quality/support/tcp-proxy.ts'

let world: KillTestWorld
let proxy: TcpProxy
beforeAll(async () => {
  world = await startKillTestWorld({
    env: { LOG_LEVEL: 'warn' },
    via: async (url) => {
      const there = new URL(url)
      proxy = await startTcpProxy({ host: there.hostname, port: Number(there.port || 5432) })
      return Object.assign(there, { hostname: '127.0.0.1', port: String(proxy.port) }).href
    },
  })
})
afterAll(async () => {
  await world?.close()
  await proxy?.close()
})

const silentMs = 20_000
// The time limits that Fantail promises, in milliseconds. On an idle machine, the measured times are about a third of these limits.
const longestAnswerMs = 12_000
const longestReturnMs = 30_000

test('if the database host stops responding, requests are answered within 12 s, and orders resume within 30 s of its return', async () => {
  const waiting = await advanceWizardTo(world, 'PAYMENT')
  const visitors = await Promise.all(Array.from({ length: 8 }, () => advanceWizardTo(world, 'PAYMENT')))
  const held = world.hold('plan', 'after')
  expect((await waiting.pay()).status).toBe(200)
  await held.reached

  const answers: { status: number; ms: number; retryAfter: string | null }[] = []
  const looking = { isOver: false }
  const look = async (ask: () => Promise<{ status: number; headers: Headers }>): Promise<void> => {
    while (!looking.isOver) {
      const began = performance.now()
      const { status, headers } = await ask()
      answers.push({ status, ms: performance.now() - began, retryAfter: headers.get('retry-after') })
      await pause(200)
    }
  }
  const looks = visitors.map(({ visitor }) => look(() => visitor.get('/api/activate/')))
  const health = look(async () => fetch(new URL('/readyz', world.product.url)))
  await pause(1_000)
  proxy.silence()
  held.goOn()
  await pause(silentMs)
  proxy.restore()
  const backAt = performance.now()
  await waiting.arriveAt('SUCCESSFUL')
  const another = await advanceWizardTo(world, 'PAYMENT')
  expect((await another.pay()).status).toBe(200)
  await another.arriveAt('SUCCESSFUL')
  const returnMs = performance.now() - backAt
  looking.isOver = true
  await Promise.all([...looks, health])

  const slowest = Math.max(...answers.map(({ ms }) => ms))
  console.log(
    `a silent host: slowest answer ${Math.round(slowest)} ms, orders again after ${Math.round(returnMs)} ms, ` +
      `${answers.filter(({ status }) => status === 503).length} of ${answers.length} answers were 503`,
  )
  expect(slowest).toBeLessThan(longestAnswerMs)
  expect(returnMs).toBeLessThan(longestReturnMs)
  expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual([200, 503])
  expect(await world.auditAfterwards()).toEqual([])
  expect(
    world.product.complaints().filter((line) => !/the database is away|kept something waiting/.test(line)),
  ).toEqual([])
})
