import { describe, expect, test } from 'vitest'
import { createClock } from '#kit/server/clock.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import { markets } from '#kit/server/markets.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { advanceClock, catchUpWithRealTime, type ClockContext } from './move-clock.ts'

const rig = useRouteServer(() => [])

type Happening = { name: string; due: Temporal.Instant }

function aWorld(start: string, { pending = [] as Happening[], jobsLeft = (): number => 0 } = {}) {
  const clock = createClock(Temporal.Instant.from(start).epochMilliseconds - Date.now())
  const log: string[] = []
  const minute = (instant: Temporal.Instant) => instant.round('minute').toString()
  const sweep: Sweep = {
    name: 'fake',
    next: async () => pending.map(({ due }) => due).sort(Temporal.Instant.compare)[0] ?? null,
    async run(now) {
      for (const happening of pending.filter(({ due }) => Temporal.Instant.compare(due, now) <= 0)) {
        pending.splice(pending.indexOf(happening), 1)
        log.push(`${happening.name} at ${minute(now)}`)
      }
    },
  }
  const offsets: number[] = []
  const world: ClockContext = {
    db: rig().db,
    clock,
    market: markets.NZ,
    jobs: { unfinished: async () => jobsLeft() } as Jobs,
    sweeps: [sweep],
    tellSimulators: async (offsetMs) => void offsets.push(offsetMs),
  }
  return {
    world,
    clock,
    log,
    pending,
    offsets,
    advance: async (by: string) => minute(await advanceClock(world, Temporal.Duration.from(by))),
  }
}

const at = (name: string, due: string): Happening => ({ name, due: Temporal.Instant.from(due) })

describe('advancing the demo’s clock', () => {
  test('advancing the clock stops at each due event in turn, then continues to the target time', async () => {
    const pending = [
      at('third', '2027-02-03T06:00:00Z'),
      at('first', '2027-02-02T01:00:00Z'),
      at('second', '2027-02-03T06:00:00Z'),
      at('later', '2027-02-09T00:00:00Z'),
    ]
    const { advance, log } = aWorld('2027-02-01T00:00:00Z', { pending })
    expect(await advance('P3D')).toBe('2027-02-04T00:00:00Z')
    expect(log).toEqual([
      'first at 2027-02-02T01:00:00Z',
      'third at 2027-02-03T06:00:00Z',
      'second at 2027-02-03T06:00:00Z',
    ])
    expect(pending.map(({ name }) => name)).toEqual(['later'])
  })

  test('the clock also stops for events scheduled during an earlier stop', async () => {
    const pending = [at('charge', '2027-02-02T00:00:00Z')]
    const { advance, log, world } = aWorld('2027-02-01T00:00:00Z', { pending })
    const [sweep] = world.sweeps
    const run = sweep?.run
    if (sweep && run) {
      sweep.run = async (now) => {
        await run(now)
        if (log.length === 1) pending.push(at('second charge', '2027-02-02T06:00:00Z'))
      }
    }
    await advance('P2D')
    expect(log).toEqual(['charge at 2027-02-02T00:00:00Z', 'second charge at 2027-02-02T06:00:00Z'])
  })

  test('overdue events are handled immediately when the clock is advanced', async () => {
    const { advance, log } = aWorld('2027-02-01T00:00:00Z', { pending: [at('overdue', '2027-01-31T00:00:00Z')] })
    expect(await advance('PT0S')).toBe('2027-02-01T00:00:00Z')
    expect(log).toEqual(['overdue at 2027-02-01T00:00:00Z'])
  })

  test('the clock does not move on until the jobs started by a due event have finished', async () => {
    let left = 0
    let stoodAt = ''
    const pending = [at('orders a job', '2027-02-02T00:00:00Z')]
    const { world, advance, clock } = aWorld('2027-02-01T00:00:00Z', { pending, jobsLeft: () => left })
    const [sweep] = world.sweeps
    if (sweep) {
      sweep.run = async () => {
        pending.splice(0)
        left = 1
        setTimeout(() => {
          stoodAt = clock.now().round('minute').toString()
          left = 0
        }, 300)
      }
    }
    expect(await advance('P5D')).toBe('2027-02-06T00:00:00Z')
    expect(stoodAt).toBe('2027-02-02T00:00:00Z')
  })

  test('an event that stays due after it was handled does not block the clock', async () => {
    const { advance, world } = aWorld('2027-02-01T00:00:00Z', { pending: [at('stuck', '2027-02-02T00:00:00Z')] })
    const [sweep] = world.sweeps
    if (sweep) sweep.run = async () => {}
    expect(await advance('P3D')).toBe('2027-02-04T00:00:00Z')
  })

  test('advancing by days follows the market’s time zone, so the day on which daylight saving ends has an extra hour', async () => {
    const { advance } = aWorld('2027-04-03T00:00:00Z')
    expect(await advance('P1D')).toBe('2027-04-04T01:00:00Z')
  })

  test('a clock behind real time catches up and handles all due events; a clock ahead of real time does not move', async () => {
    const due = Temporal.Now.instant().subtract({ hours: 48 }).round('minute')
    const { world, clock, log, offsets } = aWorld(due.subtract({ hours: 500 }).toString(), {
      pending: [at('one', due.toString()), at('later', due.add({ hours: 99 }).toString())],
    })
    await catchUpWithRealTime(world)
    expect(log).toEqual([`one at ${due}`])
    expect([clock.offset(), offsets.at(-1)]).toEqual([0, 0])
    const row = await rig().db.selectFrom('clock').select('offset_ms').executeTakeFirstOrThrow()
    expect(Number(row.offset_ms)).toBe(0)

    clock.setOffset(5_000)
    await catchUpWithRealTime(world)
    expect(clock.offset()).toBe(5_000)
  })

  test('the simulators and the database get the same clock offset, which never decreases', async () => {
    const { advance, offsets, clock } = aWorld('2027-02-01T00:00:00Z', { pending: [at('one', '2027-02-02T00:00:00Z')] })
    await advance('P2D')
    expect(offsets).toHaveLength(2)
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b))
    expect(offsets.at(-1)).toBe(clock.offset())
    const row = await rig().db.selectFrom('clock').select('offset_ms').executeTakeFirstOrThrow()
    expect(Number(row.offset_ms)).toBe(clock.offset())
  })
})
