import { afterEach, expect, test } from 'vitest'
import { createClock } from '#kit/server/clock.ts'
import { aRig } from '#testing/rig.ts'
import { until } from '#testing/until.ts'
import { followClock } from './follow-clock.ts'

const rig = aRig(() => [])
let following: ReturnType<typeof followClock> | undefined
afterEach(() => following?.stop())

const move = (offset_ms: number) => rig().db.updateTable('clock').set({ offset_ms }).execute()

test('a process goes by the clock that another has moved, and never back', async () => {
  const clock = createClock(1_000)
  await move(0)
  following = followClock(rig().db, clock)
  await move(86_400_000)
  await until(async () => clock.offset() === 86_400_000)
  clock.setOffset(90_000_000)
  await move(87_000_000)
  await move(95_000_000)
  await until(async () => clock.offset() !== 90_000_000)
  expect(clock.offset()).toBe(95_000_000)
})
