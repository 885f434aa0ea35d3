import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#kit/server/db.ts'
import { activateThroughFailures } from '#quality/support/activate-through-failures.ts'
import { type Place, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { newVisitor } from '#quality/support/visitor.ts'

let world: KillTestWorld
beforeAll(async () => {
  // The lease is as long as in production, so that only a wrong clock can cause a takeover before the lease expires.
  world = await startKillTestWorld({ env: { LEASE_SECONDS: '30' } })
})
afterAll(() => world?.close())

/**
 * Depending on the cardholder's name, the simulated bank decides immediately, decides immediately but its response is lost, or decides much
 * later.
 */
const holders = ['Ana Rewi', 'TIMEOUT', 'PENDING']

describe('payments in two processes, one of which has a wrong clock', () => {
  test.each([
    ['ahead', 90],
    ['behind', -90],
    ['an hour ahead', 3_600],
  ])(
    'a process with a wrong clock (%s) does not cancel valid payments',
    async (_way, seconds) => {
      const before = world.ledgers().gateway.length
      const other = await world.anotherProduct({ CLOCK_SKEW_SECONDS: String(seconds) })
      await other.start()
      const places: Place[] = [world, { ...world, visitor: () => newVisitor(other.url) }]
      const travellers = []
      for (const place of places)
        for (const holder of holders) travellers.push({ holder, traveller: await advanceWizardTo(place, 'PAYMENT') })
      const ends = await Promise.all(
        travellers.map(({ traveller, holder }) => activateThroughFailures(traveller, { holder })),
      )
      expect(ends.map(({ state }) => state)).toEqual(ends.map(() => 'SUCCESSFUL'))
      await other.stop()
      const lines = world.ledgers().gateway.slice(before)
      expect(lines).toMatchObject(ends.map(() => ({ authorised: 2200, captured: 2200, cancelled: 0 })))
    },
    240_000,
  )

  test('our records match the gateway’s and the network’s after payments with a wrong clock, and one task reports the clock', async () => {
    const books = await openDatabase({ url: world.databaseUrl ?? '' })
    onTestFinished(() => books.close())
    const tasks = books.db.selectFrom('operator_tasks').select(['kind', 'subject', 'done_at'])
    expect(await tasks.execute()).toEqual([{ kind: 'clock', subject: `host ${hostname()}`, done_at: null }])
    await books.db.updateTable('operator_tasks').set({ done_at: new Date() }).execute()
    expect(await world.auditAfterwards()).toEqual([])
  })
})
