import { useEffect, useState } from 'react'

const minNoticeMs = 200

export function useSlowNotice(waiting: boolean, afterMs = minNoticeMs): boolean {
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
