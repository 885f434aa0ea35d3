import { join } from 'node:path'
import { applyEntry } from './entries.ts'
import type { NetworkEntry } from './entries.ts'
import { openJournal } from '../journal.ts'
import { type ListBehaviour, defaultListBehaviour } from './list-behaviour.ts'
import { createEmptyState } from './state.ts'
import type { State } from './state.ts'

/** The simulated network's delays, in milliseconds of real time. */
export type NetworkTiming = {
  stepMs: number
  slowStepMs: number
  /** How long a number transfer takes. It finishes earlier if 4 hours pass on the simulator's clock. */
  portDelayMs: number
}

export type Network = {
  readonly state: State
  readonly pace: NetworkTiming
  /** An IANA time zone. Products begin and end at midnight in that zone. */
  readonly zone: string
  /** The origin of the simulator's URLs, which is known only once the server is listening. */
  origin: string
  lists: ListBehaviour
  /** Writes an entry to the journal, then applies it to the state. */
  record(entry: NetworkEntry): void
  /** Reads the simulator's clock, which is real time plus an offset, in milliseconds since 1970. */
  now(): number
  close(): void
}

export function openNetwork(dataDir: string, pace: NetworkTiming, zone: string): Network {
  const journal = openJournal<NetworkEntry>(join(dataDir, 'network.jsonl'))
  const state = createEmptyState()
  for (const entry of journal.entries) applyEntry(state, entry)
  return {
    state,
    pace,
    zone,
    origin: '',
    lists: defaultListBehaviour,
    record(entry) {
      journal.append(entry)
      applyEntry(state, entry)
    },
    now: () => Date.now() + state.clockOffsetMs,
    close: () => journal.close(),
  }
}
