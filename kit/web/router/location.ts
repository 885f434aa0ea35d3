import { createContext, use, useSyncExternalStore } from 'react'

/** Path and search (without `?`) as the address bar has them: nothing decoded, which would lose an encoded `%`. */
type Place = { path: string; search: string }

/** What is being rendered, on a server; a browser knows where it is. */
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

// Of a browser's tab: a server subscribes to nothing. They are told in one go, so that React renders them in one.
const listeners = new Set<() => void>()

function tell(): void {
  for (const changed of listeners) changed()
}

/** Goes to a path of this portal; `state` is what the page there reads from `history.state`. */
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

/**
 * Calls `before` when the browser has gone back or forward, before any page is asked whether it may be shown there, until
 * the function it returns is called.
 */
export function watchTravel(before: () => void): () => void {
  travellers.add(before)
  return () => void travellers.delete(before)
}

// One listener for all: between those of an event React may render.
function travelled(): void {
  for (const before of travellers) before()
  tell()
}
