import { useEffect, useState } from 'react'

const shortest = 200

export function useSlowNotice(waiting: boolean, afterMs = shortest): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setLate(true), afterMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [waiting, afterMs])
  return waiting && late
}
