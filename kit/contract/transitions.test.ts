import { expect, test } from 'vitest'
import { isFinal, transitionOf, nextState, type Transitions } from './transitions.ts'

type State = 'egg' | 'chick' | 'bird'
type Event = 'hatched' | 'fledged' | 'fed' | 'moulted' | 'lost'
const moves: Transitions<State, Event> = {
  egg: { hatched: 'chick' },
  chick: { fledged: 'bird', fed: 'chick', moulted: 'chick' },
  bird: { moulted: 'bird' },
}

test('nextState returns the state that an event leads to, or null if the event is not allowed', () => {
  expect(nextState(moves, 'egg', 'hatched')).toBe('chick')
  expect(nextState(moves, 'bird', 'hatched')).toBeNull()
})

test("transitionOf returns an event's source states and its target state, and throws unless there is exactly one target state", () => {
  expect(transitionOf(moves, 'fledged')).toEqual({ from: ['chick'], to: 'bird' })
  expect(transitionOf(moves, 'fed')).toEqual({ from: ['chick'], to: 'chick' })
  expect(() => transitionOf(moves, 'lost')).toThrow('lost leads to no state, or to several')
  expect(() => transitionOf(moves, 'moulted')).toThrow('moulted leads to no state, or to several')
})

test('a state without transitions is final', () => {
  expect((['egg', 'chick', 'bird'] as const).map((state) => isFinal(moves, state))).toEqual([false, false, false])
  expect(isFinal({ ...moves, bird: {} }, 'bird')).toBe(true)
})
