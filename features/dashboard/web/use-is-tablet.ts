import { useSyncExternalStore } from 'react'

const tabletQuery = '(min-width: 48rem)'

/**
 * Whether the screen is wide enough to show the list beside a service. `null` until the browser has measured the screen
 * after the first render; until then CSS decides what is visible.
 */
export const useIsTablet = (): boolean | null =>
  useSyncExternalStore<boolean | null>(
    subscribe,
    () => matchMedia(tabletQuery).matches,
    () => null,
  )

function subscribe(changed: () => void): () => void {
  const query = matchMedia(tabletQuery)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
