import type { KeyObject } from 'node:crypto'
import { loadOrCreatePrivateKey } from './keys.ts'
import { buildWebhookChanges } from './notification.ts'
import type { TableChange, NotificationItem } from './state.ts'
import { openStore } from './store.ts'
import type { Store } from './store.ts'

export type Gateway = {
  store: Store
  privateKey: KeyObject
  merchantAccount: string
  pendingDelayMs: number
  now(): Temporal.Instant
  /** Writes the changes to the store, then calls the commit listeners. */
  commit(changes: TableChange[]): void
  onCommit(listener: () => void): void
}

export function openGateway(options: { dataDir: string; merchantAccount: string; pendingDelayMs: number }): Gateway {
  const privateKey = loadOrCreatePrivateKey(options.dataDir)
  const store = openStore(options.dataDir)
  const listeners: (() => void)[] = []
  return {
    store,
    privateKey,
    merchantAccount: options.merchantAccount,
    pendingDelayMs: options.pendingDelayMs,
    now: () => Temporal.Now.instant().add({ milliseconds: store.settings().clockOffsetMs }),
    commit: (changes) => {
      store.commit(changes)
      for (const listener of listeners) listener()
    },
    onCommit: (listener) => void listeners.push(listener),
  }
}

type GatewayEvent = Omit<NotificationItem, 'merchantAccountCode' | 'eventDate' | 'success'> & { success: boolean }

export const createNotificationItem = (gateway: Gateway, about: GatewayEvent): NotificationItem => ({
  ...about,
  success: about.success ? 'true' : 'false',
  merchantAccountCode: gateway.merchantAccount,
  eventDate: gateway.now().toString({ fractionalSecondDigits: 0 }),
})

export const createWebhookChanges = (gateway: Gateway, about: GatewayEvent): TableChange[] =>
  buildWebhookChanges({ item: createNotificationItem(gateway, about) }, gateway.store.settings().webhookMode)
