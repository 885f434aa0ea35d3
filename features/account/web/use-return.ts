import { useEffect, useEffectEvent } from 'react'

/**
 * Calls `onReturn` when this tab becomes visible again, because the customer may have followed a mail's link in another
 * tab.
 */
export function useReturn(onReturn: () => void): void {
  const tell = useEffectEvent(() => {
    if (document.visibilityState === 'visible') onReturn()
  })
  useEffect(() => {
    const listening = new AbortController()
    document.addEventListener('visibilitychange', () => tell(), listening)
    return () => listening.abort()
  }, [])
}
