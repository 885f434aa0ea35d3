import { expect, test } from 'vitest'
import { isFinalState, findTransition, getNextState, type TransitionTable } from './transitions.ts'

type State = 'egg' | 'chick' | 'bird'
type Event = 'hatched' | 'fledged' | 'fed' | 'moulted' | 'lost'
const moves: TransitionTable<State, Event> = {
  egg: { hatched: 'chick' },
  chick: { fledged: 'bird', fed: 'chick', moulted: 'chick' },
  bird: { moulted: 'bird' },
}

test('getNextState returns the state that an event leads to, or null if the event is not allowed', () => {
  expect(getNextState(moves, 'egg', 'hatched')).toBe('chick')
  expect(getNextState(moves, 'bird', 'hatched')).toBeNull()
})

test("findTransition returns an event's source states and its target state, and throws unless there is exactly one target state", () => {
  expect(findTransition(moves, 'fledged')).toEqual({ from: ['chick'], to: 'bird' })
  expect(findTransition(moves, 'fed')).toEqual({ from: ['chick'], to: 'chick' })
  expect(() => findTransition(moves, 'lost')).toThrow('lost leads to no state, or to several')
  expect(() => findTransition(moves, 'moulted')).toThrow('moulted leads to no state, or to several')
})

test('a state without transitions is final', () => {
  expect((['egg', 'chick', 'bird'] as const).map((state) => isFinalState(moves, state))).toEqual([false, false, false])
  expect(isFinalState({ ...moves, bird: {} }, 'bird')).toBe(true)
})
