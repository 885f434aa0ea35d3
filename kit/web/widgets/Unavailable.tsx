import type { MouseEvent } from 'react'
import { errorsOf, sentenceOf } from '../../contract/errors.ts'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { useConnection } from './use-connection.ts'
import * as s from './Unavailable.module.css'

type Props = {
  what: string
  error?: Error | null
  onRetry: () => void
}

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
