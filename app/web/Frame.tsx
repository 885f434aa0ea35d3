import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { PageFrame } from '#kit/web/chrome/PageFrame.tsx'
import type { QueryClient } from '#kit/web/query/query-client.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { HasActivatedSimContext } from '#kit/web/has-activated-sim.ts'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { accountKey } from './session.ts'
import { hasFinishedActivation } from './finished-activation.ts'

/**
 * The frame around every page, including the signed-in customer's menu. It reads only cached data, so it adds no query
 * code to the entry script.
 */
export function Frame({ children }: { children: ReactNode }) {
  const { layout, brand } = useBootstrap()
  const account = useCachedData((client) => client.getQueryData(accountKey))
  const { logOut, notice, readNotice } = useLogout()
  const resetNotice = useResetLinkNotice(account?.authenticated ?? false)
  return (
    <HasActivatedSimContext value={useCachedData(hasFinishedActivation)}>
      <PageFrame
        layout={layout}
        brand={brand}
        user={account?.user ?? null}
        onLogout={() => void logOut()}
        notice={notice ?? resetNotice.notice}
        onNoticeRead={notice ? readNotice : resetNotice.readNotice}
      >
        {children}
      </PageFrame>
    </HasActivatedSimContext>
  )
}

function useCachedData<T>(read: (client: QueryClient) => T): T {
  const client = useQueryClient()
  const getSnapshot = () => read(client)
  return useSyncExternalStore(client.subscribe, getSnapshot, getSnapshot)
}

const stillLoggedInMessage = 'You’re still logged in. Please check your connection and try to log out again.'

function useLogout() {
  const api = useApi()
  const isLoggingOut = useRef(false)
  const [notice, setNotice] = useState<string | null>(null)

  async function logOut(): Promise<void> {
    if (isLoggingOut.current) return
    isLoggingOut.current = true
    setNotice(null)
    try {
      const { logOutAndReload: logOutHere } = await import('#features/auth/web/log-out.ts')
      await logOutHere(api)
    } catch {
      setNotice(stillLoggedInMessage)
    }
    isLoggingOut.current = false
  }

  return { logOut, notice, readNotice: () => setNotice(null) }
}

function useResetLinkNotice(signedIn: boolean) {
  const { path, search } = useRawLocation()
  const navigate = useNavigate()
  const isFromResetLink = signedIn && search === 'reset-link'
  const [words, setWords] = useState<string | null>(null)
  useEffect(() => {
    if (isFromResetLink)
      void import('#features/auth/web/log-out.ts').then(({ resetLinkNotUsedMessage: linkNotUsed }) =>
        setWords(linkNotUsed),
      )
  }, [isFromResetLink])
  return { notice: isFromResetLink ? words : null, readNotice: () => navigate(path, { replace: true }) }
}
