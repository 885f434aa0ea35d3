import { useEffect, useState } from 'react'

/** A wait shorter than this, in milliseconds, goes by better unseen than as a flash of the logo. */
const patience = 200

/** True when a wait has lasted long enough to be shown. */
export function usePatience(waiting: boolean): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setLate(true), patience)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [waiting])
  return waiting && late
}
