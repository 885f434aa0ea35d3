import { useLocation, useRouter } from 'wouter'

/** Goes to a path of this portal; `state` is what the page there reads from `history.state`. */
export type Navigate = (to: string, options?: { replace?: boolean; state?: unknown }) => void

export function useNavigate(): Navigate {
  const [, navigate] = useLocation()
  return navigate
}

/** Path and search (without `?`) as the address bar has them; wouter's own hooks decode them, which loses an encoded `%`. */
export function useRawLocation(): { path: string; search: string } {
  const { hook: usePath, searchHook: useSearch, ...router } = useRouter()
  const [path] = usePath(router)
  return { path, search: useSearch(router).replace(/^\?/, '') }
}
