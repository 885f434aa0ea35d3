import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClock } from './clock.ts'
import type { DueCondition } from './due-conditions.ts'
import { type SweepPolling, type Sweep, findEarliestDueTime, startSweeping, type Upkeep } from './sweeps.ts'

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text)
const dueAt = (name: string, instant: string | null): Sweep => ({
  name,
  next: async () => (instant ? at(instant) : null),
  run: async () => {},
})

describe('earliestDue: when the next sweep is due', () => {
  test('earliestDue returns the earliest instant across all sweeps', async () => {
    const due = await findEarliestDueTime([
      dueAt('lapse', '2026-11-23T00:00:00Z'),
      dueAt('none', null),
      dueAt('charge', '2026-11-22T23:59:59.999Z'),
    ])
    expect(String(due)).toBe('2026-11-22T23:59:59.999Z')
  })

  test('earliestDue returns null when no sweep is pending', async () => {
    expect(await findEarliestDueTime([])).toBeNull()
    expect(await findEarliestDueTime([dueAt('none', null)])).toBeNull()
  })
})

describe('startSweeping: running sweeps and upkeep at intervals', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  const task = (
    name: string,
    everyMs: number,
    run = vi.fn<() => Promise<void>>(async () => {}),
  ): Upkeep & { run: typeof run } => ({
    name,
    everyMs,
    run,
  })

  test('runs each upkeep task at its own interval, and every sweep in every round', async () => {
    const [often, seldom] = [task('often', 400), task('seldom', 60_000)]
    const run = vi.fn<Sweep['run']>(async () => {})
    const clock = createClock(3_600_000)
    const sweeping = startSweeping(
      clock,
      { sweeps: [{ name: 'lapse', next: async () => null, run }], upkeep: [often, seldom], onError: unexpected },
      pace(),
    )
    await vi.advanceTimersByTimeAsync(5_000)
    expect(often.run.mock.calls.length).toBeGreaterThanOrEqual(9)
    expect(seldom.run).toHaveBeenCalledTimes(1)
    expect(run.mock.calls.length).toBeGreaterThanOrEqual(9)
    const aheadMs = (run.mock.lastCall?.[0].epochMilliseconds ?? 0) - Date.now()
    expect(aheadMs).toBeGreaterThan(3_590_000)
    await sweeping.stop()
  })

  describe('sweeps that run only when they are due', () => {
    const due: DueCondition = () => sql<boolean>`true`
    const lapse = (run: Sweep['run']): Sweep => ({ name: 'lapse', isDue: due, next: async () => null, run })

    test('evaluates the conditions of all sweeps together, and runs the sweeps that are due', async () => {
      const [yes, no] = [vi.fn<Sweep['run']>(async () => {}), vi.fn<Sweep['run']>(async () => {})]
      const ask = vi.fn<SweepPolling['ask']>(async () => [true, false])
      const sweeps = [lapse(yes), { ...lapse(no), name: 'charge' }]
      const sweeping = startSweeping(createClock(), { sweeps, upkeep: [], onError: unexpected }, pace({ ask }))
      await vi.advanceTimersByTimeAsync(2_400)
      expect(ask.mock.calls.map(([dues]) => dues.length)).toEqual([2, 2, 2, 2, 2])
      expect([yes.mock.calls.length, no.mock.calls.length]).toEqual([5, 0])
      await sweeping.stop()
    })

    test("runs a failed sweep again until it succeeds, even if the sweep's condition has become false", async () => {
      let tries = 0
      const run = vi.fn<Sweep['run']>(async () => {
        if (++tries < 3) throw new Error('no row')
      })
      const ask = vi.fn<SweepPolling['ask']>(async () => [tries === 0])
      const onError = vi.fn<(error: unknown, name: string) => void>()
      const sweeping = startSweeping(createClock(), { sweeps: [lapse(run)], upkeep: [], onError }, pace({ ask }))
      await vi.advanceTimersByTimeAsync(5_000)
      expect(run).toHaveBeenCalledTimes(3)
      expect(onError).toHaveBeenCalledTimes(2)
      await sweeping.stop()
    })

    test('reports a condition that cannot be evaluated, and still runs the other due tasks', async () => {
      const broken: DueCondition = () => sql<boolean>`broken`
      const [due1, due2, notDue] = ['yes', 'also', 'no'].map(
        (text): DueCondition =>
          () =>
            sql<boolean>`${text}`,
      )
      const ask: SweepPolling['ask'] = async (dues) => {
        if (dues.includes(broken)) throw new Error('no such column')
        return dues.map((each) => each !== notDue)
      }
      const runs: string[] = []
      const onError = vi.fn<(error: unknown, name: string) => void>()
      const sweeps = Object.entries({ first: due1, broken, idle: notDue, last: due2 }).map(([name, isDue]): Sweep => ({
        name,
        isDue,
        next: async () => null,
        run: async () => void runs.push(name),
      }))
      const sweeping = startSweeping(createClock(), { sweeps, upkeep: [], onError }, pace({ ask }))
      await vi.advanceTimersByTimeAsync(100)
      expect(runs).toEqual(['first', 'last'])
      expect(onError.mock.calls).toEqual([[new Error('no such column'), 'broken']])
      await sweeping.stop()
    })

    test('checks for due sweeps less often while the process has no work', async () => {
      const ask = vi.fn<SweepPolling['ask']>(async () => [false])
      const sweeps = [lapse(async () => {})]
      const slow = pace({ ask, slowMs: 1_000, isLively: () => false })
      const sweeping = startSweeping(createClock(), { sweeps, upkeep: [], onError: unexpected }, slow)
      await vi.advanceTimersByTimeAsync(3_500)
      expect(ask).toHaveBeenCalledTimes(4)
      await sweeping.stop()
    })
  })

  test('runs a quick upkeep task on time while another task takes a long time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const isDue: DueCondition = () => sql<boolean>`true`
    const long: Sweep = { name: 'long', isDue, next: async () => null, run: () => promise }
    const finding: Upkeep & { run: ReturnType<typeof task>['run'] } = {
      ...task('retries', 400),
      isDue,
      isQuick: true,
    }
    const ask = vi.fn<SweepPolling['ask']>(async (dues) => dues.map(() => true))
    const sweeping = startSweeping(
      createClock(),
      { sweeps: [long], upkeep: [finding], onError: unexpected },
      pace({ ask }),
    )
    await vi.advanceTimersByTimeAsync(2_400)
    expect(finding.run).toHaveBeenCalledTimes(5)
    expect(ask.mock.calls.map(([dues]) => dues.length)).toEqual([2, 1, 1, 1, 1])
    resolve()
    await vi.advanceTimersByTimeAsync(500)
    expect(ask.mock.lastCall?.[0]).toHaveLength(2)
    await sweeping.stop()
  })

  test('reports a failing task, tries it again, and still runs the other tasks', async () => {
    const broken = task(
      'broken',
      100,
      vi.fn<() => Promise<void>>(() => Promise.reject(new Error('no connection'))),
    )
    const late: Sweep = { name: 'late', next: async () => null, run: () => Promise.reject(new Error('no row')) }
    const after = task('after', 100)
    const faults: string[] = []
    const sweeping = startSweeping(
      createClock(),
      {
        sweeps: [late],
        upkeep: [broken, after],
        onError: (error, name) => void faults.push(`${name}: ${(error as Error).message}`),
      },
      pace(),
    )
    await vi.advanceTimersByTimeAsync(1_100)
    expect(faults.slice(0, 4)).toEqual([
      'broken: no connection',
      'late: no row',
      'broken: no connection',
      'late: no row',
    ])
    expect(after.run.mock.calls.length).toBe(broken.run.mock.calls.length)
    await sweeping.stop()
  })

  test('stopping waits for the task that is running and does not start any others', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = task(
      'slow',
      100,
      vi.fn<() => Promise<void>>(() => promise),
    )
    const next = task('next', 100)
    const sweeping = startSweeping(createClock(), { sweeps: [], upkeep: [slow, next], onError: unexpected }, pace())
    await vi.advanceTimersByTimeAsync(0)
    let stopped = false
    const stopping = sweeping.stop().then(() => (stopped = true))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(stopped).toBe(false)
    resolve()
    await stopping
    await vi.advanceTimersByTimeAsync(5_000)
    expect(slow.run).toHaveBeenCalledTimes(1)
    expect(next.run).not.toHaveBeenCalled()
  })
})

const pace = (otherwise: Partial<SweepPolling> = {}): SweepPolling => ({
  ask: async (dues) => dues.map(() => true),
  quickMs: 500,
  slowMs: 500,
  isLively: () => true,
  ...otherwise,
})

const unexpected = (error: unknown): never => {
  throw error
}
