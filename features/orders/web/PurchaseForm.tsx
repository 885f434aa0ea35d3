import { type ReactNode, useEffect } from 'react'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Confirming, type ConfirmingWords } from './Confirming.tsx'
import type { Purchase } from './use-purchase.ts'

type Props<V extends object> = {
  purchase: Purchase<V>
  /** What is told while the outcome is not known. */
  words: ConfirmingWords
  children: ReactNode
}

/** The form that buys; while the outcome is open, that it is waited for. */
export function PurchaseForm<V extends object>({
  purchase: { form, payment, isConfirming },
  words,
  children,
}: Props<V>) {
  // A refusal that came late puts the form back: its reader begins at what it says.
  useEffect(
    () => (isConfirming ? () => document.getElementById(`${form.id}errors`)?.focus() : undefined),
    [isConfirming, form.id],
  )

  if (isConfirming)
    return (
      <Card>
        <Confirming payment={payment} words={words} />
      </Card>
    )
  return <form {...form.props}>{children}</form>
}
