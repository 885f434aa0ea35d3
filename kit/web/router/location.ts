import { createContext, use, useSyncExternalStore } from 'react'

/** Path and search (without `?`) exactly as in the address bar. They are not decoded, because decoding would lose an encoded `%`. */
type RawLocation = { path: string; search: string }

export const LocationContext = createContext<RawLocation | undefined>(undefined)

export function usePath(): string {
  const place = use(LocationContext)
  return useSyncExternalStore(subscribe, getCurrentPath, () => place?.path ?? getCurrentPath())
}

export function useRawLocation(): RawLocation {
  const place = use(LocationContext)
  const search = useSyncExternalStore(subscribe, getCurrentSearch, () => place?.search ?? getCurrentSearch())
  return { path: usePath(), search }
}

const getCurrentPath = (): string => location.pathname
const getCurrentSearch = (): string => location.search.slice(1)

// Components that subscribe to the location; none on a server. They are notified together, so that React renders only once.
const listeners = new Set<() => void>()

function notifyListeners(): void {
  for (const changed of listeners) changed()
}

export function navigate(
  to: string,
  { replace = false, state = null }: { replace?: boolean; state?: unknown } = {},
): void {
  history[replace ? 'replaceState' : 'pushState'](state, '', to)
  notifyListeners()
}

export const useNavigate = (): typeof navigate => navigate

function subscribe(changed: () => void): () => void {
  if (listeners.size === 0) addEventListener('popstate', onPopState)
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
    if (listeners.size === 0) removeEventListener('popstate', onPopState)
  }
}

const historyListeners = new Set<() => void>()

/** Calls `before` when the browser goes back or forward, before any page's redirect is decided. Returns a function that stops this. */
export function watchHistory(before: () => void): () => void {
  historyListeners.add(before)
  return () => void historyListeners.delete(before)
}

// A single event listener calls all history listeners, because React may render between two listeners for the same event.
function onPopState(): void {
  for (const before of historyListeners) before()
  notifyListeners()
}
