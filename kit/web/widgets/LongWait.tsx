import { useSlowNotice } from '../router/use-slow-notice.ts'

/** Milliseconds after which a wait is commented on. */
export const longWait = 10_000

/** Says once that a wait takes long. Place it inside the status element that announces the wait. */
export function LongWait() {
  const isLong = useSlowNotice(true, longWait)
  return (
    isLong && (
      <p className="muted">This is taking longer than usual. We’re still trying, so please keep this page open.</p>
    )
  )
}
