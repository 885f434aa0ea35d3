import { afterEach, expect, test, vi } from 'vitest'
import { findFreePort } from '#kit/server/free-port.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { createProductProcess } from '#quality/support/product-process.ts'

const rounds = 10

let world: KillTestWorld
afterEach(() => world.close())

test(
  'starting a second process on a data folder in use fails with one line, and the first process loses no orders',
  { timeout: 300_000 },
  async () => {
    // This test needs the embedded database, because only the embedded database locks its data folder.
    vi.stubEnv('DATABASE_URL', '')
    world = await startKillTestWorld()
    const second = createProductProcess({ DATA_DIR: world.dataDir, PORT: String(await findFreePort()) })
    const customers = []
    for (let round = 0; round < rounds; round++) {
      const [start, activation] = await Promise.allSettled([second.start(), activate(world)])
      expect(start).toMatchObject({ status: 'rejected' })
      expect(second.complaints().slice(round)).toEqual([
        expect.stringContaining(`is already in use by process ${world.product.pid()}`),
      ])
      if (activation.status === 'rejected') throw activation.reason
      customers.push(activation.value)
    }

    await world.product.kill()
    await world.product.start()
    for (const { visitor } of customers)
      expect(Object.keys((await visitor.get('/api/services/')).body as object)).toHaveLength(1)
    expect(await world.auditAfterwards()).toEqual([])
    expect(world.ledgers().gateway.filter(({ captured }) => captured > 0)).toHaveLength(rounds)
  },
)
