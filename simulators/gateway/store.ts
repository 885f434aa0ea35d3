import { join } from 'node:path'
import { openJournal } from '#simulators/journal.ts'
import type { Change, Settings, Tables } from './state.ts'

/** The tables as they are now, and the one way to change them. */
export type Store = {
  table<T extends keyof Tables>(name: T): ReadonlyMap<string, Tables[T]>
  settings(): Settings
  /** On return all changes are in the file, as one line: a kill leaves all of them or none. */
  commit(changes: Change[]): void
  close(): void
}

type Maps = { [T in keyof Tables]: Map<string, Tables[T]> }

const settingsKey = 'settings'

/** Opens the gateway's ledger in a folder and replays it. A row keeps its place in its table when it changes. */
export function openStore(dataDir: string): Store {
  const journal = openJournal<Change[]>(join(dataDir, 'gateway.jsonl'))
  const maps: Maps = {
    payments: new Map(),
    refunds: new Map(),
    cards: new Map(),
    stops: new Map(),
    answers: new Map(),
    webhooks: new Map(),
    failures: new Map(),
    settings: new Map(),
  }
  for (const changes of journal.entries) for (const change of changes) apply(maps, change)
  return {
    table: (name) => maps[name],
    settings: () => maps.settings.get(settingsKey) ?? { clockOffsetMs: 0, webhookMode: 'normal' },
    commit: (changes) => {
      if (changes.length === 0) return
      journal.append(changes)
      for (const change of changes) apply(maps, change)
    },
    close: () => journal.close(),
  }
}

/** The change that gives settings new values. */
export const settingsChange = (settings: Settings): Change => ({ table: 'settings', key: settingsKey, row: settings })

function apply(maps: Maps, { table, key, row }: Change): void {
  if (row === null) maps[table].delete(key)
  else (maps[table] as Map<string, typeof row>).set(key, row)
}
