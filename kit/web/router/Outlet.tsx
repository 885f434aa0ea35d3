import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { MatchedPage, RouteTable } from '../page.ts'
import { useQueryClient } from '../query/use-query.tsx'
import { ErrorBoundary } from '../screens/ErrorBoundary.tsx'
import { ErrorScreen } from '../screens/ErrorScreen.tsx'
import { LoadingScreen } from '../screens/LoadingScreen.tsx'
import type { TextFreeNode } from '../text-elements.tsx'
import { useOnReconnect } from '../widgets/use-on-reconnect.ts'
import { getLoadedPage } from './page-modules.ts'
import { useNavigate, useRawLocation } from './location.ts'
import { findRedirect } from './redirect.ts'
import { useMatch } from './route-table.ts'
import { getPageTitle } from './title.ts'
import { usePageFocus } from './use-page-focus.ts'
import { usePageCode } from './use-page-code.ts'
import { useSlowNotice } from './use-slow-notice.ts'
import { usePageQueries } from './use-page-queries.ts'

const maxRedirects = 10

type ShownState = { path: string; match: MatchedPage }

/**
 * Shows the page for the current path. While the next page's code and data are loading, the old page stays for a moment before the loading
 * logo replaces it. The page that the server rendered is shown immediately, whatever state its queries are in.
 */
export function Outlet({ table }: { table: RouteTable }): ReactNode {
  const { path, search } = useRawLocation()
  const { match, failed: unknown } = useMatch(table, path)
  const code = match && getLoadedPage(match.page)
  const isChunkMissing = usePageCode(match?.page)
  const areQueriesReady = usePageQueries(match, search)
  const client = useQueryClient()
  const redirectTarget =
    match && (areQueriesReady || match.canonical !== null) ? findRedirect(match, { path, search }, client) : null
  const [shown, show] = useState<ShownState | null>(() => (match && code ? { path, match } : null))
  const isUnknownRoute = useReloadOnUnknownRoute(match, shown)
  const isReady = Boolean(code) && areQueriesReady && redirectTarget === null && !isUnknownRoute
  const hasRedirectLoop = useRedirect(redirectTarget, path, isReady)
  if (match && isReady && shown?.match !== match) show({ path, match })

  const hasFailed = hasRedirectLoop || isChunkMissing || unknown
  const isSlow = useSlowNotice(!isReady && shown?.path !== path)
  const page = hasFailed || isSlow ? null : shown
  usePageFocus({
    place: page?.path ?? path,
    title: page && getPageTitle(page.match, { path: page.path, search }, client),
  })
  const content: TextFreeNode = useMemo(() => page && <ShownPage {...page} />, [page])

  if (hasFailed) return <NavigationError />
  return content ?? <LoadingScreen />
}

function NavigationError(): ReactNode {
  const reload = () => location.reload()
  useOnReconnect(reload)
  return navigator.onLine ? (
    <ErrorScreen onRetry={reload} />
  ) : (
    <ErrorScreen>You seem to be offline. We’ll load this page when you’re back online.</ErrorScreen>
  )
}

/** Shows a page. A different path gets a new page with fresh state, so that nothing typed for one service is sent for the next. */
function ShownPage({ path, match }: ShownState): ReactNode {
  const Page = getLoadedPage(match.page)
  return <ErrorBoundary key={path}>{Page && <Page params={match.params} />}</ErrorBoundary>
}

function useReloadOnUnknownRoute(match: MatchedPage | null, shown: ShownState | null): boolean {
  const isUnknownRoute = match?.page.status === 404 && shown !== null && shown.match !== match
  useEffect(() => {
    if (isUnknownRoute) location.reload()
  }, [isUnknownRoute, match])
  return isUnknownRoute
}

function useRedirect(target: string | null, path: string, arrived: boolean): boolean {
  const navigate = useNavigate()
  const hops = useRef(0)
  const [lostAt, setLostAt] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (arrived) hops.current = 0
    if (target === null) return
    if (++hops.current > maxRedirects) setLostAt(path)
    else navigate(target, { replace: true })
  }, [target, path, arrived, navigate])
  return lostAt === path
}
