import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'

let world: KillTestWorld
beforeAll(async () => {
  world = await startKillTestWorld({ env: { LOG_LEVEL: 'warn' } })
})
afterAll(() => world?.close())

const frozenMs = 15_000
const percentile = (times: number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? 0

test('while one visitor repeats requests for a locked database row, 99 % of other visitors’ responses take less than 5 s', async () => {
  const ana = await advanceWizardTo(world, 'PAYMENT')
  const others = await Promise.all(Array.from({ length: 4 }, () => advanceWizardTo(world, 'PAYMENT')))
  // The extra client stands in for a process of an older version that was suspended inside a transaction. No timeout ends that transaction.
  const frozen = new pg.Client({ connectionString: world.databaseUrl ?? '' })
  frozen.on('error', () => {})
  await frozen.connect()
  await frozen.query('begin')
  await frozen.query(
    `select id from sessions where id in (select session_id from activations where email = $1) for update`,
    [ana.email],
  )
  const looking = { isOver: false }
  const times: number[] = []
  const look = async (visitor: Visitor): Promise<number[]> => {
    const statuses: number[] = []
    while (!looking.isOver) {
      const began = performance.now()
      statuses.push((await visitor.get('/api/activate/')).status)
      times.push(performance.now() - began)
      await pause(50)
    }
    return statuses
  }
  const looks = others.map(({ visitor }) => look(visitor))
  const resent: { answer: Answer; ms: number }[] = []
  const resend = async (): Promise<void> => {
    while (!looking.isOver) {
      const began = performance.now()
      const answer = await ana.visitor.post('/api/activate/plan/', { plan: 'plan-30-5gb' })
      resent.push({ answer, ms: performance.now() - began })
      await pause(20)
    }
  }
  const resends = Array.from({ length: 12 }, resend)
  await pause(frozenMs)
  looking.isOver = true
  const statuses = (await Promise.all(looks)).flat()
  await Promise.all(resends)
  await frozen.end()

  const p99 = percentile(times, 0.99)
  const kinds = [...new Set(resent.map(({ answer }) => answer.status))].toSorted()
  console.log(
    `beside a visitor who resends: p99 ${Math.round(p99)} ms of ${times.length} answers; theirs: ${resent.length} of ${kinds}`,
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  // Fantail promises a response within one second. The test allows five seconds, because the machine may be busy.
  expect(p99).toBeLessThan(5_000)
  expect(kinds.filter((status) => ![429, 503].includes(status))).toEqual([])
  for (const { answer, ms } of resent) {
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(ms).toBeLessThan(12_000)
  }
  expect((await ana.pay()).status).toBe(200)
  await ana.arriveAt('SUCCESSFUL')
})
