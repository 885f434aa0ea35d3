import { useConnection } from './use-connection.ts'
import * as s from './UnavailableLine.module.css'

type Props = {
  what: string
  /** Id of the control that waits for the content. It takes the focus during a retry. */
  control: string
  onRetry: () => void
}

/** A one-line version of `Unavailable` for use below a field. */
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
