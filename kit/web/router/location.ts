import { createContext, use, useSyncExternalStore } from 'react'

/** Path and search (without `?`) as in the address bar. Nothing is decoded, because that would lose an encoded `%`. */
type Place = { path: string; search: string }

export const PlaceContext = createContext<Place | undefined>(undefined)

export function usePath(): string {
  const place = use(PlaceContext)
  return useSyncExternalStore(subscribe, pathHere, () => place?.path ?? pathHere())
}

export function useRawLocation(): Place {
  const place = use(PlaceContext)
  const search = useSyncExternalStore(subscribe, searchHere, () => place?.search ?? searchHere())
  return { path: usePath(), search }
}

const pathHere = (): string => location.pathname
const searchHere = (): string => location.search.slice(1)

// Listeners of a browser's tab; a server subscribes to nothing. They are called together, so that React renders once.
const listeners = new Set<() => void>()

function tell(): void {
  for (const changed of listeners) changed()
}

export function navigate(
  to: string,
  { replace = false, state = null }: { replace?: boolean; state?: unknown } = {},
): void {
  history[replace ? 'replaceState' : 'pushState'](state, '', to)
  tell()
}

export const useNavigate = (): typeof navigate => navigate

function subscribe(changed: () => void): () => void {
  if (listeners.size === 0) addEventListener('popstate', travelled)
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
    if (listeners.size === 0) removeEventListener('popstate', travelled)
  }
}

const travellers = new Set<() => void>()

/** Calls `before` when the browser has gone back or forward, before any page's redirect is decided. Returns the function that ends this. */
export function watchTravel(before: () => void): () => void {
  travellers.add(before)
  return () => void travellers.delete(before)
}

// A single listener calls all of these, because React may render between two listeners of an event.
function travelled(): void {
  for (const before of travellers) before()
  tell()
}
