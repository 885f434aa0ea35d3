import type { KeyObject } from 'node:crypto'
import { openPrivateKey } from './keys.ts'
import { queued } from './notification.ts'
import type { Change, NotificationItem } from './state.ts'
import { openStore } from './store.ts'
import type { Store } from './store.ts'

/** What every part of the simulator works on. */
export type Gateway = {
  store: Store
  privateKey: KeyObject
  merchantAccount: string
  /** How long a payment stays Received, in milliseconds. */
  pendingDelayMs: number
  /** The simulator's clock: real time and the offset it was given. */
  now(): Temporal.Instant
  /** Writes the changes, and then lets those know who wait for some. */
  commit(changes: Change[]): void
  onCommit(listener: () => void): void
}

/** Opens the gateway that lives in a folder. */
export function openGateway(options: { dataDir: string; merchantAccount: string; pendingDelayMs: number }): Gateway {
  const privateKey = openPrivateKey(options.dataDir)
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

type Event = Omit<NotificationItem, 'merchantAccountCode' | 'eventDate' | 'success'> & { success: boolean }

/** What a merchant is told of something. */
export const itemOf = (gateway: Gateway, about: Event): NotificationItem => ({
  ...about,
  success: about.success ? 'true' : 'false',
  merchantAccountCode: gateway.merchantAccount,
  eventDate: gateway.now().toString({ fractionalSecondDigits: 0 }),
})

/** The changes that tell the merchant of something. */
export const notify = (gateway: Gateway, about: Event): Change[] =>
  queued({ item: itemOf(gateway, about) }, gateway.store.settings().webhookMode)
