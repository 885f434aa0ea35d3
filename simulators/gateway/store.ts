import { join } from 'node:path'
import { openJournal } from '#simulators/journal.ts'
import type { TableChange, Settings, Tables } from './state.ts'

export type Store = {
  table<T extends keyof Tables>(name: T): ReadonlyMap<string, Tables[T]>
  /** Keys of the pending payments that will be decided automatically. This index saves searching all payments after each change. */
  resolving(): ReadonlySet<string>
  settings(): Settings
  /** Writes all changes to the file as a single line before returning, so a kill preserves either all of them or none. */
  commit(changes: TableChange[]): void
  close(): void
}

type Maps = { [T in keyof Tables]: Map<string, Tables[T]> }

const settingsKey = 'settings'

/** Opens the simulator's tables, which are stored in a journal. A row keeps its position in its table when it changes. */
export function openStore(dataDir: string): Store {
  const journal = openJournal<TableChange[]>(join(dataDir, 'gateway.jsonl'))
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
  const scheduledPaymentIds = new Set<string>()
  const take = (change: TableChange): void => {
    apply(maps, change)
    if (change.table === 'payments') updatePendingIndex(scheduledPaymentIds, change)
  }
  for (const changes of journal.entries) changes.forEach(take)
  return {
    table: (name) => maps[name],
    resolving: () => scheduledPaymentIds,
    settings: () => maps.settings.get(settingsKey) ?? { clockOffsetMs: 0, webhookMode: 'normal' },
    commit: (changes) => {
      if (changes.length === 0) return
      journal.append(changes)
      changes.forEach(take)
    },
    close: () => journal.close(),
  }
}

export const createSettingsChange = (settings: Settings): TableChange => ({
  table: 'settings',
  key: settingsKey,
  row: settings,
})

function updatePendingIndex(resolving: Set<string>, { key, row }: TableChange & { table: 'payments' }): void {
  if (row?.pending && row.pending.resolvesAt !== null) resolving.add(key)
  else resolving.delete(key)
}

function apply(maps: Maps, { table, key, row }: TableChange): void {
  if (row === null) maps[table].delete(key)
  else (maps[table] as Map<string, typeof row>).set(key, row)
}
