import { isFinalState, type TransitionTable } from '#kit/contract/transitions.ts'

export const simLoadStates = [
  /** The file is being uploaded, and its lines are staged as they arrive. */
  'receiving',
  /** The upload did not complete, so the load is deleted. */
  'broken_off',
  'checking',
  'checked',
  /** The file is checked, and staff must decide whether to load the valid lines or none. */
  'waiting',
  'refused',
  /** Packs are being loaded, but none is for sale until the load is complete. */
  'loading',
  'withdrawing',
  'loaded',
] as const
export type SimLoadState = (typeof simLoadStates)[number]

export type SimLoadEvent =
  | 'received'
  | 'broken_off'
  | 'good'
  | 'checked'
  | 'asked'
  | 'confirmed'
  | 'declined'
  | 'bad'
  | 'loaded'
  | 'taken'
  | 'withdrawn'

export const simLoadTransitions: TransitionTable<SimLoadState, SimLoadEvent> = {
  receiving: { received: 'checking', broken_off: 'broken_off' },
  broken_off: {},
  checking: { good: 'loading', checked: 'checked', asked: 'waiting', bad: 'refused' },
  checked: {},
  waiting: { confirmed: 'loading', declined: 'refused' },
  refused: {},
  /*
   * A pack or number may be taken between the check and the load. The whole load is then withdrawn, unless staff want
   * only the valid lines.
   */
  loading: { loaded: 'loaded', taken: 'withdrawing' },
  withdrawing: { withdrawn: 'refused' },
  loaded: {},
}

export const isSimLoadIdle = (state: SimLoadState): boolean => isSimLoadFinal(state) || state === 'waiting'

export const isSimLoadFinal = (state: SimLoadState): boolean => isFinalState(simLoadTransitions, state)
