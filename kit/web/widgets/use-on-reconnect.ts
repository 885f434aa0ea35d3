import { useEffect, useEffectEvent } from 'react'

export function useOnReconnect(onBack: () => void): void {
  const back = useEffectEvent(onBack)
  useEffect(() => {
    const onOnline = () => back()
    addEventListener('online', onOnline)
    return () => removeEventListener('online', onOnline)
  }, [])
}
