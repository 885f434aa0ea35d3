import { useEffect, useMemo, useReducer, useState } from 'react'
import type { MatchedPage, RouteTable } from '../page.ts'
import { reloadOnce } from './page-modules.ts'

export function createLazyRouteTable(
  path: string,
  first: MatchedPage,
  fetchOthers: () => Promise<RouteTable['match']>,
): RouteTable {
  let others: RouteTable['match'] | null = null
  return {
    match: (other) => (other === path ? first : others && others(other)),
    async complete() {
      // The rest of the table is fetched in a separate task, so that the effects of the page that is already shown run first.
      await new Promise((resolve) => setTimeout(resolve))
      others ??= await fetchOthers()
    },
  }
}

/**
 * Finds the page for a path. `match` is `null` until the table knows the page. The rest of the table is fetched once the first page is
 * shown.
 */
export function useMatch(table: RouteTable, path: string): { match: MatchedPage | null; failed: boolean } {
  const [loads, loaded] = useReducer((count: number) => count + 1, 0)
  const [failedAt, setFailedAt] = useState<string | null>(null)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the table has another answer once it is complete
  const match = useMemo(() => table.match(path), [table, path, loads])
  const isUnknown = match === null
  useEffect(() => {
    let over = !isUnknown
    table.complete().then(
      () => void (over || loaded()),
      () => void (over || reloadOnce() || setFailedAt(path)),
    )
    return () => void (over = true)
  }, [table, path, isUnknown])
  return { match, failed: isUnknown && failedAt === path }
}
