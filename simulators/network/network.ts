import { join } from 'node:path'
import { apply } from './entries.ts'
import type { Entry } from './entries.ts'
import { openJournal } from '../journal.ts'
import { type ListHabits, usualHabits } from './lists.ts'
import { emptyState } from './state.ts'
import type { State } from './state.ts'

/** All in milliseconds of real time. */
export type Pace = {
  stepMs: number
  slowStepMs: number
  /** From the order of a number transfer to its end, unless 4 hours pass on the simulator's clock before. */
  portDelayMs: number
}

export type Network = {
  readonly state: State
  readonly pace: Pace
  /** IANA zone whose midnights begin and end products. */
  readonly zone: string
  /** The origin is known once the server listens. */
  origin: string
  lists: ListHabits
  /** Writes the entry to the journal, then applies it. */
  record(entry: Entry): void
  /** The simulator's clock in ms since 1970: real time plus an offset. */
  now(): number
  close(): void
}

export function openNetwork(dataDir: string, pace: Pace, zone: string): Network {
  const journal = openJournal<Entry>(join(dataDir, 'network.jsonl'))
  const state = emptyState()
  for (const entry of journal.entries) apply(state, entry)
  return {
    state,
    pace,
    zone,
    origin: '',
    lists: usualHabits,
    record(entry) {
      journal.append(entry)
      apply(state, entry)
    },
    now: () => Date.now() + state.clockOffsetMs,
    close: () => journal.close(),
  }
}
