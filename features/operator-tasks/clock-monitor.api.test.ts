/* @module-tag slow */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClock, hostNow, setRealTime, realNow, browserNow } from '#kit/server/clock.ts'
import { syncDatabaseTime } from '#kit/server/database-clock.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { createClockMonitor } from './server/clock-monitor.ts'

const rig = useRouteServer(() => [])
const lines: string[] = []
let now = 0
let clocks: ReturnType<typeof createClockMonitor>

beforeEach(async () => {
  lines.length = 0
  now = 0
  await rig().db.deleteFrom('operator_tasks').execute()
  const say = (level: string) => (fields: object, message: string) => {
    const { clock: _, seconds: __, ...told } = fields as Record<string, unknown>
    lines.push(`${level} ${JSON.stringify(told)} ${message}`)
  }
  clocks = createClockMonitor({
    db: rig().db,
    log: { info: say('info'), warn: say('warn'), error: say('error') },
    host: 'kea',
    thresholds: { clockMs: 30_000, calmMs: 300_000, remindMs: 60_000 },
    onError: (error) => void lines.push(String(error)),
    now: () => now,
  })
})
afterEach(() => {
  clocks.hearGateway({ aheadMs: 0, uncertainMs: 0 })
  setRealTime(null)
})

type Which = 'hearHost' | 'hearGateway'
async function hear(which: Which, aheadSeconds: number, { forSeconds = 10, uncertainMs = 600 } = {}): Promise<void> {
  for (let heard = 0; heard < forSeconds; heard += 5) {
    clocks[which]({ aheadMs: aheadSeconds * 1_000, uncertainMs })
    now += 5_000
  }
  await clocks.written()
}
const tasks = () =>
  rig().db.selectFrom('operator_tasks').select(['kind', 'subject', 'reason', 'done_by']).orderBy('created_at').execute()
const hostTask = (doneBy: string | null = null) => ({
  kind: 'clock',
  subject: 'host kea',
  reason: 'the clocks of host kea and of the database differ by more than 30 seconds',
  done_by: doneBy,
})

describe('monitoring the host’s clock', () => {
  test.each([120, -120])(
    'logs a host clock that is %d seconds off, and keeps a task open until the clock has been right for several minutes',
    async (s) => {
      await hear('hearHost', s)
      const { reason } = hostTask()
      expect(lines).toEqual([`error {"host_ahead_seconds":${s}} ${reason}`])
      expect(await tasks()).toEqual([hostTask()])
      await hear('hearHost', 0)
      expect(lines.slice(1)).toEqual(['info {} a clock is right again'])
      expect(await tasks()).toEqual([hostTask()])
      await hear('hearHost', 0, { forSeconds: 310 })
      expect(await tasks()).toEqual([hostTask('system')])
      await hear('hearHost', s)
      expect(await tasks()).toEqual([hostTask('system'), hostTask()])
    },
  )

  test('a host clock that keeps jumping back and forth creates one task and at most two log lines a minute', async () => {
    for (let turns = 0; turns < 30; turns++) {
      await hear('hearHost', turns % 2 ? 40 : -40)
      await hear('hearHost', 2, { forSeconds: 50 })
    }
    expect(await tasks()).toEqual([hostTask()])
    expect(lines.length).toBeLessThanOrEqual(60)
  })

  test('if somebody closes the task about a clock that is still wrong, a new task is created', async () => {
    await hear('hearHost', 90)
    await rig().db.updateTable('operator_tasks').set({ done_at: new Date(), over_at: new Date() }).execute()
    await hear('hearHost', 90, { forSeconds: 70 })
    expect(await tasks()).toHaveLength(2)
  })

  test('small or imprecisely measured clock differences are ignored', async () => {
    await hear('hearHost', 25)
    await hear('hearHost', 40, { uncertainMs: 15_000 })
    await hear('hearHost', 20, { uncertainMs: 15_000 })
    await hear('hearHost', 3_600, { forSeconds: 5 })
    await hear('hearHost', 1, { forSeconds: 5 })
    await hear('hearHost', 3_600, { forSeconds: 5 })
    expect([await tasks(), lines]).toEqual([[], []])
  })

  test('a new process closes the task about a wrong clock if the process that created it died', async () => {
    await hear('hearHost', 90)
    const next = createClockMonitor({
      db: rig().db,
      log: { info() {}, warn() {}, error() {} },
      host: 'kea',
      thresholds: { clockMs: 30_000, calmMs: 300_000, remindMs: 60_000 },
      onError: (error) => void lines.push(String(error)),
      now: () => now,
    })
    next.hearHost({ aheadMs: 0, uncertainMs: 1 })
    now += 300_000
    next.hearHost({ aheadMs: 0, uncertainMs: 1 })
    await next.written()
    expect(await tasks()).toEqual([hostTask('system')])
  })
})

describe('monitoring the difference between the gateway’s clock and the database’s clock', () => {
  const toldAhead = () => browserNow(createClock()).since(realNow()).total('seconds')

  test('while the database’s and the gateway’s clocks differ, a task is open and browsers are given the gateway’s time', async () => {
    await hear('hearGateway', -600)
    expect(await tasks()).toMatchObject([
      {
        subject: 'database',
        reason: 'the clocks of the database and of the card gateway differ by more than 30 seconds',
      },
    ])
    expect(toldAhead()).toBeCloseTo(-600, 0)
    await hear('hearGateway', -601)
    expect(toldAhead()).toBeCloseTo(-600, 0)
    await hear('hearGateway', 0)
    expect(toldAhead()).toBeCloseTo(0, 0)
  })

  test('reports how far the host’s clock is ahead of the database’s clock and of the gateway’s', async () => {
    expect(clocks.ahead()).toEqual({ database: null, card_gateway: null })
    await hear('hearHost', 100)
    await hear('hearGateway', 1)
    expect(clocks.ahead()).toEqual({ database: 100, card_gateway: 99 })
  })
})

test('a process uses the database’s clock even if the host’s clock differs', async () => {
  setRealTime({ databaseMs: hostNow().epochMilliseconds + 90_000, ownMs: performance.now() })
  const { aheadMs, uncertainMs } = await syncDatabaseTime(rig().db)
  expect(Math.abs(aheadMs)).toBeLessThan(5_000 + uncertainMs)
  expect(Math.abs(realNow().since(hostNow()).total('seconds'))).toBeLessThan(5)
})
