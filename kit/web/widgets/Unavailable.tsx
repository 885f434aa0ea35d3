import type { MouseEvent } from 'react'
import { errorsOf, sentenceOf } from '../../contract/errors.ts'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { useConnection } from './use-connection.ts'
import * as s from './Unavailable.module.css'

type Props = {
  what: string
  /** The error, which is shown in the words of spec 8. Without an error the message is less prominent. */
  error?: Error | null
  onRetry: () => void
}

/** Replaces content that could not be loaded, with a retry button. It retries by itself once the connection is back. */
export function Unavailable({ what, error, onRetry }: Props) {
  useConnection(onRetry)

  function retry({ currentTarget }: MouseEvent) {
    // The button disappears while the response is pending, so the focus moves to its container.
    currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
    onRetry()
  }

  return (
    <div role={error ? 'alert' : 'status'}>
      <Banner kind={error ? 'bad' : 'info'} title={what}>
        {error && <p>{errorsOf(error).__all__?.map(sentenceOf)}</p>}
        <Button kind="quiet" className={s.again} onClick={retry}>
          Try Again
        </Button>
      </Banner>
    </div>
  )
}
