import { useEffect, useEffectEvent } from 'react'

/**
 * Calls `onVisible` when the customer returns to this tab, because they may have followed an emailed link in another
 * one.
 */
export function useTabVisible(onVisible: () => void): void {
  const handleVisibilityChange = useEffectEvent(() => {
    if (document.visibilityState === 'visible') onVisible()
  })
  useEffect(() => {
    const listenerController = new AbortController()
    document.addEventListener('visibilitychange', () => handleVisibilityChange(), listenerController)
    return () => listenerController.abort()
  }, [])
}
