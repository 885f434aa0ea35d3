import { expect, test } from 'vitest'
import { createAdmissionControl, type AdmissionControl, type PriorityClass } from './admission-control.ts'

const letIn = (door: AdmissionControl, rank: PriorityClass, count: number): number =>
  Array.from({ length: count }, (_, index) => door.enter(rank, `${rank} ${index}`)).filter(Boolean).length

test('admission control reserves some capacity for known browsers and some more for payments and webhooks', () => {
  const door = createAdmissionControl()
  expect(letIn(door, 'anyone', 1_000)).toBe(200)
  expect(letIn(door, 'known', 1_000)).toBe(200)
  expect(letIn(door, 'first', 1_000)).toBe(200)
  expect(door.figures().atWork).toEqual({ first: 200, known: 200, anyone: 200 })
})

test('slow requests from known browsers do not reduce the capacity for unknown clients', () => {
  const door = createAdmissionControl()
  expect(letIn(door, 'known', 300)).toBe(300)
  expect(letIn(door, 'anyone', 50)).toBe(50)
})

test('one address gets at most half of the capacity, and gets it back once its requests have finished', () => {
  const door = createAdmissionControl()
  const places = Array.from({ length: 200 }, () => door.enter('anyone', 'flood')).filter((leave) => leave !== null)
  expect(places).toHaveLength(100)
  expect(door.enter('anyone', 'other')).not.toBeNull()
  for (const leave of places) {
    leave()
    leave()
  }
  expect(door.figures().atWork.anyone).toBe(1)
  expect(door.enter('anyone', 'flood')).not.toBeNull()
})

test('admission limits shrink while the event loop lags, first for unknown clients, and recover later', () => {
  const door = createAdmissionControl()
  for (let look = 0; look < 10; look++) door.adapt(300)
  expect(door.figures().places).toEqual({ first: 600, known: 400, anyone: 80 })
  for (let look = 0; look < 10; look++) door.adapt(1_500)
  expect(door.figures().places).toEqual({ first: 600, known: 160, anyone: 80 })
  for (let look = 0; look < 25; look++) door.adapt(20)
  expect(door.figures().places).toEqual({ first: 600, known: 400, anyone: 200 })
})
