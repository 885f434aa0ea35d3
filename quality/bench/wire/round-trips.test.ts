import { expect, test } from 'vitest'
import { createRoundTripCounter } from './round-trips.ts'

const asked = (statement: string) => ({ statement, values: [], name: '' })

test('SQL statements sent together count as one round trip, and one that waits for their results counts as a second', () => {
  const counter = createRoundTripCounter()
  const line = counter.connection()
  line.isReady()
  line.asks(asked('session'))
  line.asks(asked('user'))
  line.waits()
  line.isReady()
  line.asks(asked('card'))
  line.waits()
  line.isReady()
  const { roundTrips, inARow, asked: heard } = counter.take()
  expect([roundTrips, inARow]).toEqual([2, 2])
  expect(heard.map(({ statement, depth }) => [statement, depth])).toEqual([
    ['session', 1],
    ['user', 1],
    ['card', 2],
  ])
  expect(counter.take()).toEqual({ asked: [], roundTrips: 0, inARow: 0 })
})

test('SQL statements sent before the server has answered earlier ones count as the same round trip', () => {
  const counter = createRoundTripCounter()
  const line = counter.connection()
  for (const statement of ['one', 'two']) {
    line.asks(asked(statement))
    line.waits()
  }
  line.isReady()
  line.asks(asked('three'))
  line.waits()
  line.isReady()
  line.isReady()
  expect(counter.take()).toMatchObject({ roundTrips: 1, inARow: 1 })
})

test('parallel round trips count as a single step in the longest chain of round trips', () => {
  const counter = createRoundTripCounter()
  const [one, other] = [counter.connection(), counter.connection()]
  one.asks(asked('phone'))
  other.asks(asked('card'))
  for (const line of [one, other]) {
    line.waits()
    line.isReady()
  }
  one.asks(asked('then'))
  one.waits()
  one.isReady()
  expect(counter.take()).toMatchObject({ roundTrips: 3, inARow: 2 })
})
