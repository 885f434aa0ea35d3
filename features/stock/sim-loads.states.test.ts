import { expect, test } from 'vitest'
import { movesOf } from '#kit/contract/transitions.ts'
import { isAtRest, isSettled, type SimLoadEvent, simLoadStates, simLoadTransitions } from './sim-loads.states.ts'

const events: SimLoadEvent[] = [
  'received',
  'broken_off',
  'good',
  'checked',
  'asked',
  'confirmed',
  'declined',
  'bad',
  'loaded',
  'taken',
  'withdrawn',
]

test('every state can be reached, and every event leads to one place', () => {
  expect(new Set(['receiving', ...events.map((event) => movesOf(simLoadTransitions, event).to)])).toEqual(
    new Set(simLoadStates),
  )
})

test('what is settled stays: a file that is loaded is never withdrawn, and none is loaded that was refused', () => {
  expect(simLoadStates.filter(isSettled)).toEqual(['broken_off', 'checked', 'refused', 'loaded'])
})

test('only what was checked is loaded, and only what was not for sale is withdrawn', () => {
  expect(movesOf(simLoadTransitions, 'good').from).toEqual(['checking'])
  expect(movesOf(simLoadTransitions, 'loaded').from).toEqual(['loading'])
  expect(movesOf(simLoadTransitions, 'taken').from).toEqual(['loading'])
})

test('a file stands still only once it is settled or while a person has to confirm it', () =>
  expect(simLoadStates.filter(isAtRest)).toEqual(['broken_off', 'checked', 'waiting', 'refused', 'loaded']))
