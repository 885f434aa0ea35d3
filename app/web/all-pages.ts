import { pages } from '#app/pages.ts'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { type Match, matchPage } from '#kit/web/page.ts'
import type { QueryClient } from '#kit/web/query/query-client.ts'
import { keptReadings } from './kept-readings.ts'
import { accountKey } from './session.ts'

// What a browser knows of the other pages. It comes after the first one has started, and nothing of that waits for it.

/** The page of a path, which is the not-found page when there is no other. */
export const match = (path: string): Match => matchPage(pages, path)

let hasBegun = false

/** The same, of a portal that has started: once its browser has nothing better to do it gets ready for a time without a network. */
export function begin(client: QueryClient, bootstrap: Bootstrap): typeof match {
  if (!hasBegun) {
    hasBegun = true
    // Not every browser says when it has nothing to do.
    const whenIdle = globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1_000))
    const keep = (): void =>
      void import('./last-readings.ts').then(
        ({ keepLastReadings }) => keepLastReadings(client, bootstrap),
        // Nobody misses it who has a network.
        () => {},
      )
    onceThereIsSomebody(client, () => whenIdle(keep))
  }
  return match
}

/** Of a visitor nothing is kept; but what was kept of a customer goes. */
function onceThereIsSomebody(client: QueryClient, act: () => void): void {
  const look = (): void => {
    if (!client.getQueryData(accountKey)?.user && !isSomethingKept()) return
    end()
    act()
  }
  const end = client.subscribe(look)
  look()
}

function isSomethingKept(): boolean {
  try {
    return localStorage.getItem(keptReadings) !== null
  } catch {
    // Storage that is switched off has kept nothing.
    return false
  }
}
