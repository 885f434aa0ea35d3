import { useSyncExternalStore } from 'react'

const tablet = '(min-width: 48rem)'

/**
 * Whether the screen has room for the list and a service beside each other. Null until the browser can tell, which is
 * after the page is there: what it then shows is CSS's to decide.
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
