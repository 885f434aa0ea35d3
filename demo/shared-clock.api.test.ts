/* @module-tag slow */
import { afterEach, describe, expect, test } from 'vitest'
import { createClock } from '#kit/server/clock.ts'
import { evaluateDueConditions } from '#kit/server/due-conditions.ts'
import { startSweeping } from '#kit/server/sweeps.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { shareClock } from './shared-clock.ts'

const rig = useRouteServer(() => [])
const running: { stop(): Promise<void> }[] = []
afterEach(async () => void (await Promise.all(running.splice(0).map((each) => each.stop()))))

const move = (offset_ms: number) => rig().db.updateTable('clock').set({ offset_ms }).execute()

function aProcess(offsetMs = 0) {
  const clock = createClock(offsetMs)
  const { db } = rig()
  const own = shareClock(db, clock)
  const pace = { ask: evaluateDueConditions(db), quickMs: 50, slowMs: 50, isLively: () => true }
  const onError = (error: unknown): never => {
    throw error
  }
  let sweeping: ReturnType<typeof startSweeping> | undefined
  const process = {
    ...own,
    clock,
    async follow() {
      await own.follow()
      sweeping = startSweeping(clock, { sweeps: [], upkeep: [own.upkeep], onError }, pace)
    },
    async stop() {
      await sweeping?.stop()
      await own.stop()
    },
  }
  running.push(process)
  return process
}
const followers = async (): Promise<number[]> =>
  (await rig().db.selectFrom('demo_clock_followers').select('offset_ms').execute()).map((row) => Number(row.offset_ms))

test('a process follows the shared clock forward, but never moves its own clock back', async () => {
  const { clock, follow } = aProcess(1_000)
  await move(0)
  await follow()
  await move(86_400_000)
  await pollUntil(async () => clock.offset() === 86_400_000)
  clock.setOffset(90_000_000)
  await move(87_000_000)
  await move(95_000_000)
  await pollUntil(async () => clock.offset() !== 90_000_000)
  expect(clock.offset()).toBe(95_000_000)
})

describe('moving a clock shared by several processes', () => {
  test('moving the shared clock waits until every other process has caught up', async () => {
    await move(0)
    const [mover, one, other] = [aProcess(), aProcess(), aProcess()]
    for (const each of [mover, one, other]) await each.follow()
    await pollUntil(async () => (await followers()).length === 3)
    await move(86_400_000)
    await mover.allFollow(86_400_000)
    expect([one.clock.offset(), other.clock.offset()]).toEqual([86_400_000, 86_400_000])
  })

  test('moving the shared clock does not wait if there is only one process', async () => {
    const mover = aProcess()
    await mover.follow()
    await pollUntil(async () => (await followers()).length === 1)
    const began = performance.now()
    await mover.allFollow(172_800_000)
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  test('moving the shared clock waits once for a process that has crashed, but not for one that shut down', async () => {
    await move(0)
    const [mover, other] = [aProcess(), aProcess()]
    for (const each of [mover, other]) await each.follow()
    await pollUntil(async () => (await followers()).length === 2)
    await other.stop()
    expect(await followers()).toHaveLength(1)
    const process = crypto.randomUUID()
    await rig().db.insertInto('demo_clock_followers').values({ process, offset_ms: 0 }).execute()
    await move(86_400_000)
    await mover.allFollow(86_400_000)
    await pollUntil(async () => (await followers()).every((offset) => offset === 86_400_000))
    expect(await followers()).toEqual([86_400_000])
  })
})
