import { useSlowNotice } from '../router/use-slow-notice.ts'

export const longWaitMs = 10_000

/** A notice that the wait is taking longer than usual. Place it inside the status element that announces the wait. */
export function LongWait() {
  const isLongWait = useSlowNotice(true, longWaitMs)
  return (
    isLongWait && (
      <p className="muted">This is taking longer than usual. We’re still trying, so please keep this page open.</p>
    )
  )
}
