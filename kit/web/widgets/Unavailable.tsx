import type { MouseEvent } from 'react'
import { toFormErrors, getErrorEntryMessage } from '../../contract/errors.ts'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { useOnReconnect } from './use-on-reconnect.ts'
import * as s from './Unavailable.module.css'

type Props = {
  what: string
  error?: Error | null
  onRetry: () => void
}

export function Unavailable({ what, error, onRetry }: Props) {
  useOnReconnect(onRetry)

  function retry({ currentTarget }: MouseEvent) {
    // The retry button disappears while the response is pending, so the focus moves to the button's container.
    currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    onRetry()
  }

  return (
    <div role={error ? 'alert' : 'status'}>
      <Banner kind={error ? 'bad' : 'info'} title={what}>
        {error && <p>{toFormErrors(error).__all__?.map(getErrorEntryMessage)}</p>}
        <Button kind="quiet" className={s.again} onClick={retry}>
          Try Again
        </Button>
      </Banner>
    </div>
  )
}
