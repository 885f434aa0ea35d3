import { useEffect, useState } from 'react'

/** Milliseconds. A shorter wait is better left unseen than shown as a flash of the logo. */
const shortest = 200

/** True once a wait has lasted `afterMs` milliseconds; by default, long enough to be shown. */
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
