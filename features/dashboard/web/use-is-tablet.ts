import { useSyncExternalStore } from 'react'

const tabletQuery = '(min-width: 48rem)'

/**
 * Whether the screen is wide enough to show the list of services beside the open service. `null` on the server and during
 * hydration, when CSS decides what is visible.
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
