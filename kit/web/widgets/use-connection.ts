import { useEffect, useEffectEvent } from 'react'

export function useConnection(onBack: () => void): void {
  const back = useEffectEvent(onBack)
  useEffect(() => {
    const tell = () => back()
    addEventListener('online', tell)
    return () => removeEventListener('online', tell)
  }, [])
}
