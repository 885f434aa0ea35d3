import { useEffect, useEffectEvent } from 'react'

/** Calls `onReturn` when this tab is looked at again: its visitor may have followed a mail's link elsewhere. */
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
