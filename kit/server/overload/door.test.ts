import { expect, test } from 'vitest'
import { createDoor, type Door, type Rank } from './door.ts'

/** How many get in of so many that each come from an address of their own. */
const letIn = (door: Door, rank: Rank, count: number): number =>
  Array.from({ length: count }, (_, index) => door.enter(rank, `${rank} ${index}`)).filter(Boolean).length

test('anyone finds no place any more while there are places for those who are known, and for orders after those', () => {
  const door = createDoor()
  expect(letIn(door, 'anyone', 1_000)).toBe(200)
  expect(letIn(door, 'known', 1_000)).toBe(200)
  expect(letIn(door, 'first', 1_000)).toBe(200)
  expect(door.figures().atWork).toEqual({ first: 200, known: 200, anyone: 200 })
})

test('customers who wait for something slow keep nobody out', () => {
  const door = createDoor()
  expect(letIn(door, 'known', 300)).toBe(300)
  expect(letIn(door, 'anyone', 50)).toBe(50)
})

test('one address has half of the places at most, and has them again once it is done', () => {
  const door = createDoor()
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

test('a process that is late has less and less room, for anyone first, and more again afterwards', () => {
  const door = createDoor()
  for (let look = 0; look < 10; look++) door.adapt(300)
  expect(door.figures().places).toEqual({ first: 600, known: 400, anyone: 80 })
  for (let look = 0; look < 10; look++) door.adapt(1_500)
  expect(door.figures().places).toEqual({ first: 600, known: 160, anyone: 80 })
  for (let look = 0; look < 25; look++) door.adapt(20)
  expect(door.figures().places).toEqual({ first: 600, known: 400, anyone: 200 })
})
