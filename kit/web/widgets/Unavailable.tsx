import type { MouseEvent } from 'react'
import { errorsOf, sentenceOf } from '../../contract/errors.ts'
import { Banner } from './Banner.tsx'
import { Button } from './Button.tsx'
import { useConnection } from './use-connection.ts'
import * as s from './Unavailable.module.css'

type Props = {
  /** What could not be had, in a sentence. */
  what: string
  /** Why, which is told in the words of spec 8. Without it the note is a quiet one. */
  error?: Error | null
  onRetry: () => void
}

/** In the place of what could not be had: a word on it, and the way on. Once the connection is back it is asked for again by itself. */
export function Unavailable({ what, error, onRetry }: Props) {
  useConnection(onRetry)

  function retry({ currentTarget }: MouseEvent) {
    // The button goes while the answer is awaited; focus stays at that place.
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
