import { useEffect, useRef } from 'react'
import { Button } from '#kit/web/widgets/Button.tsx'
import { FanProgress } from '#kit/web/widgets/FanProgress.tsx'
import type { PaymentSubmission } from './use-payment.ts'
import * as s from './confirming.module.css'

export type PaymentPendingLabels = {
  heading: string
  late: string
  either: string
  promise: string
}

const activationLabels: PaymentPendingLabels = {
  heading: 'We’re confirming your payment…',
  late: 'Your bank has not answered yet',
  either: 'You’ll either get your plan or keep your money.',
  promise: 'You will not be charged twice.',
}

export function PaymentPending({
  payment: { isPaused, askAgain },
  words = activationLabels,
  orderCode,
}: {
  payment: PaymentSubmission
  orderCode?: string | null
  words?: PaymentPendingLabels
}) {
  const headingRef = useRef<HTMLHeadingElement>(null)
  useEffect(() => headingRef.current?.focus({ preventScroll: true }), [isPaused])
  return (
    <div className={s.confirming}>
      <FanProgress part={isPaused ? 0 : undefined} />
      <h2 ref={headingRef} tabIndex={-1}>
        {isPaused ? words.late : words.heading}
      </h2>
      <p>
        {isPaused
          ? `We’re still checking. You don’t need to do anything. ${words.either} ${words.promise}`
          : `This can take a minute or two. Please keep this page open. ${words.promise}`}
      </p>
      {orderCode && <p>Order code {orderCode}</p>}
      {isPaused && (
        <Button kind="quiet" onClick={askAgain}>
          Check again
        </Button>
      )}
    </div>
  )
}
