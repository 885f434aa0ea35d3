import { type ReactNode, useEffect } from 'react'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PaymentPending, type PaymentPendingLabels } from './PaymentPending.tsx'
import type { Purchase } from './use-purchase.ts'

type Props<V extends object> = {
  purchase: Purchase<V>
  words: PaymentPendingLabels
  children: ReactNode
}

export function PurchaseForm<V extends object>({
  purchase: { form, payment, isConfirming },
  words,
  children,
}: Props<V>) {
  // If the payment is refused late, the form comes back, so move the focus to its error messages.
  useEffect(
    () => (isConfirming ? () => document.getElementById(`${form.id}errors`)?.focus() : undefined),
    [isConfirming, form.id],
  )

  if (isConfirming)
    return (
      <Card>
        <PaymentPending payment={payment} words={words} />
      </Card>
    )
  return <form {...form.props}>{children}</form>
}
