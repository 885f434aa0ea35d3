import { useSyncExternalStore } from 'react'

const tablet = '(min-width: 48rem)'

/**
 * Whether the screen is wide enough for the list beside a service. `null` until the browser has measured it after the
 * first render; until then CSS decides what is visible.
 */
export const useTablet = (): boolean | null =>
  useSyncExternalStore<boolean | null>(
    watch,
    () => matchMedia(tablet).matches,
    () => null,
  )

function watch(changed: () => void): () => void {
  const query = matchMedia(tablet)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
