import { expect, test } from 'vitest'
import { portClockMs, portTimeline } from './port-in.ts'
import { isOver, portBehaviours } from './state.ts'

test.each(portBehaviours)('a port that %s moves forward in time and ends exactly once, at its end', (behaviour) => {
  const timeline = portTimeline(behaviour, 6_000)
  const times = timeline.map(({ afterMs }) => afterMs)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(timeline.map(({ state }) => isOver(state))).toEqual([...timeline.slice(1).map(() => false), true])
})

test('a port completes after its delay, or after four hours on the clock', () => {
  expect(portTimeline('completes', 6_000).at(-1)).toEqual({
    afterMs: 6_000,
    afterClockMs: portClockMs,
    state: 'completed',
    portState: 'completed',
    fault: null,
  })
})

test.each([
  ['waits_for_reply', 'awaitingCustomerReply'],
  ['waits_for_donor', 'confirmed'],
] as const)('a port that %s stays %s, however long that takes, until its time on the clock', (behaviour, portState) => {
  const timeline = portTimeline(behaviour, 6_000)
  expect(timeline.filter(({ afterMs }) => afterMs <= 6_000).at(-1)?.portState).toBe(portState)
  expect(timeline.at(-1)).toMatchObject({ portState: 'completed', afterClockMs: portClockMs })
})

test('a port that ends badly says why, and only then', () => {
  for (const behaviour of ['fails', 'expires', 'cancelled'] as const) {
    const faults = portTimeline(behaviour, 6_000).map(({ fault }) => fault?.code)
    expect(faults.slice(0, -1).every((code) => code === undefined)).toBe(true)
    expect(faults.at(-1)).toMatch(/^[A-Z_]+$/)
  }
})
