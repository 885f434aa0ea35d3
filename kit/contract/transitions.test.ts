import { expect, test } from 'vitest'
import { isFinal, movesOf, nextState, type Transitions } from './transitions.ts'

type State = 'egg' | 'chick' | 'bird'
type Event = 'hatched' | 'fledged' | 'fed' | 'moulted' | 'lost'
const moves: Transitions<State, Event> = {
  egg: { hatched: 'chick' },
  chick: { fledged: 'bird', fed: 'chick', moulted: 'chick' },
  bird: { moulted: 'bird' },
}

test('an event leads somewhere, or cannot be taken', () => {
  expect(nextState(moves, 'egg', 'hatched')).toBe('chick')
  expect(nextState(moves, 'bird', 'hatched')).toBeNull()
})

test('a compare-and-set is told from where and to where', () => {
  expect(movesOf(moves, 'fledged')).toEqual({ from: ['chick'], to: 'bird' })
  expect(movesOf(moves, 'fed')).toEqual({ from: ['chick'], to: 'chick' })
  expect(() => movesOf(moves, 'lost')).toThrow('lost leads to no state, or to several')
  expect(() => movesOf(moves, 'moulted')).toThrow('moulted leads to no state, or to several')
})

test('what nothing follows is final', () => {
  expect((['egg', 'chick', 'bird'] as const).map((state) => isFinal(moves, state))).toEqual([false, false, false])
  expect(isFinal({ ...moves, bird: {} }, 'bird')).toBe(true)
})
