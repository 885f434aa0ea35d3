import { pages } from '#app/pages.ts'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { type Match, matchPage } from '#kit/web/page.ts'
import type { QueryClient } from '#kit/web/query/query-client.ts'
import { readingsStorageKey } from './readings-storage-key.ts'
import { accountKey } from './session.ts'

export const match = (path: string): Match => matchPage(pages, path)

let hasBegun = false

export function begin(client: QueryClient, bootstrap: Bootstrap): typeof match {
  if (!hasBegun) {
    hasBegun = true
    const runWhenIdle = globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1_000))
    const startStoringReadings = (): void =>
      void import('./last-readings.ts').then(
        ({ storeLastReadings: keepLastReadings }) => keepLastReadings(client, bootstrap),
        // A failure to store the latest usage readings is ignored, because customers need these readings only when they are offline.
        () => {},
      )
    runWhenCustomerKnown(client, () => runWhenIdle(startStoringReadings))
  }
  return match
}

/**
 * Calls `act` once a customer has signed in. If usage readings are already stored, calls `act` immediately, because those readings may have
 * to be removed.
 */
function runWhenCustomerKnown(client: QueryClient, act: () => void): void {
  const checkAccount = (): void => {
    if (!client.getQueryData(accountKey)?.user && !hasStoredReadings()) return
    end()
    act()
  }
  const end = client.subscribe(checkAccount)
  checkAccount()
}

function hasStoredReadings(): boolean {
  try {
    return localStorage.getItem(readingsStorageKey) !== null
  } catch {
    // If the browser's storage is disabled, no usage readings are stored.
    return false
  }
}
