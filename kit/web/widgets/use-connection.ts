import { useEffect, useEffectEvent } from 'react'

/** Calls `onBack` when the browser is online again. */
export function useConnection(onBack: () => void): void {
  const back = useEffectEvent(onBack)
  useEffect(() => {
    const tell = () => back()
    addEventListener('online', tell)
    return () => removeEventListener('online', tell)
  }, [])
}
