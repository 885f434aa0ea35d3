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
    const whenIdle = globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1_000))
    const startStoring = (): void =>
      void import('./last-readings.ts').then(
        ({ storeLastReadings: keepLastReadings }) => keepLastReadings(client, bootstrap),
        // With a network, customers do not need the stored readings, so a failure is ignored.
        () => {},
      )
    onceCustomerKnown(client, () => whenIdle(startStoring))
  }
  return match
}

/** Stores nothing for a visitor who is not signed in, but removes the stored data of a customer. */
function onceCustomerKnown(client: QueryClient, act: () => void): void {
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
    // Disabled storage contains nothing.
    return false
  }
}
