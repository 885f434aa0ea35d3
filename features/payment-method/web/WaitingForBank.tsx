import { useEffect, useRef } from 'react'
import { Button } from '#kit/web/widgets/Button.tsx'
import { FanProgress } from '#kit/web/widgets/FanProgress.tsx'
import * as s from './payment-method.module.css'

export function WaitingForBank({ isPaused, askAgain }: { isPaused: boolean; askAgain: () => void }) {
  const headingRef = useRef<HTMLHeadingElement>(null)
  /*
   * The button that the customer pressed disappears with the form. Focusing the heading makes screen readers announce
   * the new content.
   */
  useEffect(() => headingRef.current?.focus({ preventScroll: true }), [isPaused])
  return (
    <div className={s.waiting}>
      <FanProgress part={isPaused ? 0 : undefined} />
      <h2 ref={headingRef} tabIndex={-1}>
        {isPaused ? 'Your bank has not answered yet' : 'We’re waiting for your bank…'}
      </h2>
      <p>
        {isPaused
          ? 'Until your bank answers, we’ll keep using your current card, if you have one. You haven’t been charged.'
          : 'This can take a minute or two. Please keep this page open. You will not be charged.'}
      </p>
      {isPaused && (
        <Button kind="quiet" onClick={askAgain}>
          Check again
        </Button>
      )}
    </div>
  )
}
