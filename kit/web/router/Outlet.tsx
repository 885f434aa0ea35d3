import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Found, Table } from '../page.ts'
import { useQueryClient } from '../query/use-query.tsx'
import { ErrorBoundary } from '../screens/ErrorBoundary.tsx'
import { ErrorScreen } from '../screens/ErrorScreen.tsx'
import { LoadingScreen } from '../screens/LoadingScreen.tsx'
import type { Elements } from '../text-elements.tsx'
import { useConnection } from '../widgets/use-connection.ts'
import { loadedPage } from './load.ts'
import { useNavigate, useRawLocation } from './location.ts'
import { redirectOf } from './redirect.ts'
import { useMatch } from './table.ts'
import { titleOf } from './title.ts'
import { usePageFocus } from './use-page-focus.ts'
import { useChunk } from './use-chunk.ts'
import { useSlowNotice } from './use-slow-notice.ts'
import { usePageQueries } from './use-page-queries.ts'

const mostRedirects = 10

type Shown = { path: string; match: Found }

/**
 * Shows the page of the current path. While the next page's code and data are loading, the old page stays for a moment, and then the
 * loading logo replaces it. The page that the server rendered shows at once, whatever the state of its queries.
 */
export function Outlet({ table }: { table: Table }): ReactNode {
  const { path, search } = useRawLocation()
  const { match, failed: unknown } = useMatch(table, path)
  const code = match && loadedPage(match.page)
  const missing = useChunk(match?.page)
  const answered = usePageQueries(match, search)
  const client = useQueryClient()
  const target = match && (answered || match.canonical !== null) ? redirectOf(match, { path, search }, client) : null
  const [shown, show] = useState<Shown | null>(() => (match && code ? { path, match } : null))
  const foreign = useForeign(match, shown)
  const ready = Boolean(code) && answered && target === null && !foreign
  const lost = useRedirect(target, path, ready)
  if (match && ready && shown?.match !== match) show({ path, match })

  const failed = lost || missing || unknown
  const late = useSlowNotice(!ready && shown?.path !== path)
  const page = failed || late ? null : shown
  usePageFocus({ place: page?.path ?? path, title: page && titleOf(page.match, { path: page.path, search }, client) })
  const content: Elements = useMemo(() => page && <ShownPage {...page} />, [page])

  if (failed) return <Lost />
  return content ?? <LoadingScreen />
}

function Lost(): ReactNode {
  const reload = () => location.reload()
  useConnection(reload)
  return navigator.onLine ? (
    <ErrorScreen onRetry={reload} />
  ) : (
    <ErrorScreen>You seem to be offline. We’ll load this page when you’re back online.</ErrorScreen>
  )
}

/** Another path is another page, with fresh state: nothing typed for one service may be sent for the next. */
function ShownPage({ path, match }: Shown): ReactNode {
  const Page = loadedPage(match.page)
  return <ErrorBoundary key={path}>{Page && <Page params={match.params} />}</ErrorBoundary>
}

function useForeign(match: Found | null, shown: Shown | null): boolean {
  const foreign = match?.page.status === 404 && shown !== null && shown.match !== match
  useEffect(() => {
    if (foreign) location.reload()
  }, [foreign, match])
  return foreign
}

function useRedirect(target: string | null, path: string, arrived: boolean): boolean {
  const navigate = useNavigate()
  const hops = useRef(0)
  const [lostAt, setLostAt] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (arrived) hops.current = 0
    if (target === null) return
    if (++hops.current > mostRedirects) setLostAt(path)
    else navigate(target, { replace: true })
  }, [target, path, arrived, navigate])
  return lostAt === path
}
