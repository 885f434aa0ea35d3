import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { startWorld, type World } from '#quality/support/world.ts'
import type { ProductProcess } from '#quality/support/product-process.ts'
import { startLoad } from './start-load.ts'

let world: World
let all: ProductProcess[]
beforeAll(async () => {
  world = await startWorld({ pages: 'built' })
  if (!world.fleet) throw new Error('This is for `npm run test:multiprocess`, which says where the certificates are.')
  all = [...world.fleet.workers, ...world.fleet.web]
}, 240_000)
afterAll(() => world?.close())

describe('while people read, sign in and activate', () => {
  test('all four processes are restarted one after the other: no call fails', async () => {
    const load = await startLoad(world)
    for (const process of all) await world.fleet?.restart(process)
    await load.stop()
    for (const traveller of load.paid) expect((await traveller.arriveAt('SUCCESSFUL')).state).toBe('SUCCESSFUL')
    tell('rolling restart', load)
    expect(load.failures).toEqual([])
    expect(load.paid.length).toBeGreaterThan(0)
    expect(await findFaultsWhenIdle(world)).toEqual([])
  })

  test('each of them is killed, twice: what was acknowledged is delivered, and the books add up', async () => {
    const load = await startLoad(world)
    for (const process of [...all, ...all]) {
      await process.kill()
      await process.start()
    }
    await load.stop()
    for (const traveller of load.paid) expect((await traveller.arriveAt('SUCCESSFUL')).state).toBe('SUCCESSFUL')
    tell('kills', load)
    expect(load.paid.length).toBeGreaterThan(0)
    expect(await findFaultsWhenIdle(world)).toEqual([])
  })
})

function tell(what: string, { times, failures, paid }: Awaited<ReturnType<typeof startLoad>>): void {
  const sortedTimes = times.toSorted((a, b) => a - b)
  const at = (part: number): number => Math.round(sortedTimes[Math.floor(part * (sortedTimes.length - 1))] ?? 0)
  const speed = `median ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`
  console.info(`${what}: ${times.length} requests, ${failures.length} failed, ${paid.length} paid; ${speed}`)
}
