import { join } from 'node:path'
import { applyEntry } from './entries.ts'
import type { NetworkEntry } from './entries.ts'
import { openJournal } from '../journal.ts'
import { type ListBehaviour, defaultListBehaviour } from './list-behaviour.ts'
import { emptyState } from './state.ts'
import type { State } from './state.ts'

/** All in milliseconds of real time. */
export type NetworkTiming = {
  stepMs: number
  slowStepMs: number
  /** From the order of a number transfer to its end, unless 4 hours pass on the simulator's clock before. */
  portDelayMs: number
}

export type Network = {
  readonly state: State
  readonly pace: NetworkTiming
  /** IANA zone whose midnights begin and end products. */
  readonly zone: string
  /** The origin is known once the server listens. */
  origin: string
  lists: ListBehaviour
  /** Writes the entry to the journal, then applies it. */
  record(entry: NetworkEntry): void
  /** The simulator's clock in ms since 1970: real time plus an offset. */
  now(): number
  close(): void
}

export function openNetwork(dataDir: string, pace: NetworkTiming, zone: string): Network {
  const journal = openJournal<NetworkEntry>(join(dataDir, 'network.jsonl'))
  const state = emptyState()
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
