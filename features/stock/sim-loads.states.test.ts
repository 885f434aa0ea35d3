import { expect, test } from 'vitest'
import { transitionOf } from '#kit/contract/transitions.ts'
import { isIdle, isSettled, type SimLoadEvent, simLoadStates, simLoadTransitions } from './sim-loads.states.ts'

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

test('every state of a SIM load can be reached, and every event leads to a single state', () => {
  expect(new Set(['receiving', ...events.map((event) => transitionOf(simLoadTransitions, event).to)])).toEqual(
    new Set(simLoadStates),
  )
})

test('a SIM load is final once it is broken off, checked, refused or loaded', () => {
  expect(simLoadStates.filter(isSettled)).toEqual(['broken_off', 'checked', 'refused', 'loaded'])
})

test('only a SIM load in checking can turn out good, and only one in loading is loaded or withdrawn', () => {
  expect(transitionOf(simLoadTransitions, 'good').from).toEqual(['checking'])
  expect(transitionOf(simLoadTransitions, 'loaded').from).toEqual(['loading'])
  expect(transitionOf(simLoadTransitions, 'taken').from).toEqual(['loading'])
})

test('a SIM load rests only when it is final or waits for a person’s confirmation', () =>
  expect(simLoadStates.filter(isIdle)).toEqual(['broken_off', 'checked', 'waiting', 'refused', 'loaded']))
