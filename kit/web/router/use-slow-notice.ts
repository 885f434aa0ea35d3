import { useEffect, useState } from 'react'

/** A wait shorter than this, in milliseconds, goes by better unseen than as a flash of the logo. */
const shortest = 200

/** True when a wait has lasted so many milliseconds: long enough to be shown, unless told otherwise. */
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
