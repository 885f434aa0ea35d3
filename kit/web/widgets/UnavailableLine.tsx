import { useOnReconnect } from './use-on-reconnect.ts'
import * as s from './UnavailableLine.module.css'

type Props = {
  what: string
  control: string
  onRetry: () => void
}

export function UnavailableLine({ what, control, onRetry }: Props) {
  useOnReconnect(onRetry)

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
