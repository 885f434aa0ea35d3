import { useSlowNotice } from '../router/use-slow-notice.ts'

/** A wait as long as this, in milliseconds, is spoken of. */
export const longWait = 10_000

/** Says so once what is waited for takes long. It stands inside the status that says that something is waited for. */
export function LongWait() {
  const isLong = useSlowNotice(true, longWait)
  return (
    isLong && (
      <p className="muted">This is taking longer than usual. We’re still trying, so please keep this page open.</p>
    )
  )
}
