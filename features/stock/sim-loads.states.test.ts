import { expect, test } from 'vitest'
import { findTransition } from '#kit/contract/transitions.ts'
import {
  isSimLoadIdle,
  isSimLoadFinal,
  type SimLoadEvent,
  simLoadStates,
  simLoadTransitions,
} from './sim-loads.states.ts'

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

test('every state of a load of SIM packs can be reached, and every event leads to a single state', () => {
  expect(new Set(['receiving', ...events.map((event) => findTransition(simLoadTransitions, event).to)])).toEqual(
    new Set(simLoadStates),
  )
})

test('the final states of a load of SIM packs are broken_off, checked, refused and loaded', () => {
  expect(simLoadStates.filter(isSimLoadFinal)).toEqual(['broken_off', 'checked', 'refused', 'loaded'])
})

test('a load of SIM packs can pass its check only while being checked, and be completed or withdrawn only while loading', () => {
  expect(findTransition(simLoadTransitions, 'good').from).toEqual(['checking'])
  expect(findTransition(simLoadTransitions, 'loaded').from).toEqual(['loading'])
  expect(findTransition(simLoadTransitions, 'taken').from).toEqual(['loading'])
})

test('an import of SIM packs is idle only in a final state or while it waits for a staff decision', () =>
  expect(simLoadStates.filter(isSimLoadIdle)).toEqual(['broken_off', 'checked', 'waiting', 'refused', 'loaded']))
