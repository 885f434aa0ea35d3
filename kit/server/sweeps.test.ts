import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClock } from './clock.ts'
import { type Sweep, earliestDue, startSweeping, type Upkeep } from './sweeps.ts'

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text)
const dueAt = (name: string, instant: string | null): Sweep => ({
  name,
  next: async () => (instant ? at(instant) : null),
  run: async () => {},
})

describe('the earliest instant at which something is due', () => {
  test('is that of all sweeps', async () => {
    const due = await earliestDue([
      dueAt('lapse', '2026-11-23T00:00:00Z'),
      dueAt('none', null),
      dueAt('charge', '2026-11-22T23:59:59.999Z'),
    ])
    expect(String(due)).toBe('2026-11-22T23:59:59.999Z')
  })

  test('is none where nothing is pending', async () => {
    expect(await earliestDue([])).toBeNull()
    expect(await earliestDue([dueAt('none', null)])).toBeNull()
  })
})

describe('sweeping', () => {
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

  test('does upkeep as often as it asks for, and what is due in every round', async () => {
    const [often, seldom] = [task('often', 400), task('seldom', 60_000)]
    const run = vi.fn<Sweep['run']>(async () => {})
    const clock = createClock(3_600_000)
    const sweeping = startSweeping(clock, [{ name: 'lapse', next: async () => null, run }], [often, seldom], unexpected)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(often.run.mock.calls.length).toBeGreaterThanOrEqual(9)
    expect(seldom.run).toHaveBeenCalledTimes(1)
    expect(run.mock.calls.length).toBeGreaterThanOrEqual(9)
    const aheadMs = (run.mock.lastCall?.[0].epochMilliseconds ?? 0) - Date.now()
    expect(aheadMs).toBeGreaterThan(3_590_000)
    await sweeping.stop()
  })

  test('reports what fails, does the rest, and tries again', async () => {
    const broken = task(
      'broken',
      100,
      vi.fn<() => Promise<void>>(() => Promise.reject(new Error('no connection'))),
    )
    const late: Sweep = { name: 'late', next: async () => null, run: () => Promise.reject(new Error('no row')) }
    const after = task('after', 100)
    const faults: string[] = []
    const sweeping = startSweeping(createClock(), [late], [broken, after], (error, name) =>
      faults.push(`${name}: ${(error as Error).message}`),
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

  test('is over when it says so: nothing starts any more, and what runs is waited for', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = task(
      'slow',
      100,
      vi.fn<() => Promise<void>>(() => promise),
    )
    const next = task('next', 100)
    const sweeping = startSweeping(createClock(), [], [slow, next], unexpected)
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

const unexpected = (error: unknown): never => {
  throw error
}
