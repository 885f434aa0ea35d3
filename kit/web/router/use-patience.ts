import { useEffect, useState } from 'react'

/** A wait shorter than this, in milliseconds, goes by better unseen than as a flash of the logo. */
const usual = 200

/** True when a wait has lasted so many milliseconds: long enough to be shown, unless told otherwise. */
export function usePatience(waiting: boolean, patience = usual): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setLate(true), patience)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [waiting, patience])
  return waiting && late
}
