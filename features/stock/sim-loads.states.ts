import { isFinal, type Transitions } from '#kit/contract/transitions.ts'

/** What a file of SIM packs goes through. */
export const simLoadStates = [
  /** On its way in: its lines are put aside as they come. */
  'receiving',
  /** Not all of it came: it is deleted. */
  'broken_off',
  'checking',
  /** Only the check was asked for. */
  'checked',
  /** Checked, and its good lines wait for a person to say that they are loaded, or that none is. */
  'waiting',
  /** Nothing of it is loaded. */
  'refused',
  /** Packs come in, and none of them is for sale yet. */
  'loading',
  /** What has come in of it goes again. */
  'withdrawing',
  /** Its packs are for sale. */
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

/** Every move a load can make. What is not here cannot happen. */
export const simLoadTransitions: Transitions<SimLoadState, SimLoadEvent> = {
  receiving: { received: 'checking', broken_off: 'broken_off' },
  broken_off: {},
  checking: { good: 'loading', checked: 'checked', asked: 'waiting', bad: 'refused' },
  checked: {},
  waiting: { confirmed: 'loading', declined: 'refused' },
  refused: {},
  // Between check and load a pack or number can be taken: then it is all or nothing once more.
  loading: { loaded: 'loaded', taken: 'withdrawing' },
  withdrawing: { withdrawn: 'refused' },
  loaded: {},
}

/** Nothing goes on by itself: what becomes of the file is settled, or a person has to say. */
export const isAtRest = (state: SimLoadState): boolean => isSettled(state) || state === 'waiting'

/** What becomes of the file is settled. */
export const isSettled = (state: SimLoadState): boolean => isFinal(simLoadTransitions, state)
