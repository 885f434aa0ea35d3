import { useEffect, useEffectEvent } from 'react'

/**
 * Calls `onVisible` when this tab becomes visible again, because the customer may have followed an emailed link in
 * another tab.
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
