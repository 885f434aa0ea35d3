import { useConnection } from './use-connection.ts'
import * as s from './UnavailableLine.module.css'

type Props = {
  what: string
  /** The id of the control that waits for it, which takes the reader while it is asked for. */
  control: string
  onRetry: () => void
}

/** What `Unavailable` says, below a field and in a line. */
export function UnavailableLine({ what, control, onRetry }: Props) {
  useConnection(onRetry)

  function retry() {
    document.getElementById(control)?.focus()
    onRetry()
  }

  return (
    <>
      <span>{what}</span>
      <button type="button" className={s.again} onClick={retry}>
        Try Again
      </button>
    </>
  )
}
