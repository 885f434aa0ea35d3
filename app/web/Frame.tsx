import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { PageFrame } from '#kit/web/chrome/PageFrame.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { accountKey } from './session.ts'

/** Every page's frame, which says who is signed in. It reads what others have asked for, so that it weighs nothing. */
export function Frame({ children }: { children: ReactNode }) {
  const { layout, brand } = useBootstrap()
  const client = useQueryClient()
  const look = () => client.getQueryData(accountKey)
  const account = useSyncExternalStore(client.subscribe, look, look)
  const { logOut, notice, readNotice } = useLogout()
  return (
    <PageFrame
      layout={layout}
      brand={brand}
      user={account?.user ?? null}
      onLogout={() => void logOut()}
      notice={notice}
      onNoticeRead={readNotice}
    >
      {children}
    </PageFrame>
  )
}

const stillHere = 'You are still logged in. Please check your connection and try to log out again.'

function useLogout() {
  const api = useApi()
  const leaving = useRef(false)
  const [notice, setNotice] = useState<string | null>(null)

  async function logOut(): Promise<void> {
    if (leaving.current) return
    leaving.current = true
    setNotice(null)
    try {
      const { logOutHere } = await import('#features/auth/web/log-out.ts')
      await logOutHere(api)
    } catch {
      setNotice(stillHere)
    }
    leaving.current = false
  }

  return { logOut, notice, readNotice: () => setNotice(null) }
}
