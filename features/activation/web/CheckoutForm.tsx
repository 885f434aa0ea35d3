import { useEffect, type ReactNode } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { PaymentPending } from '#features/orders/web/PaymentPending.tsx'
import { PurchaseSummaryBar } from '#features/orders/web/PurchaseSummary.tsx'
import type { Activation } from '../activation.contract.ts'
import { buildPurchaseDetails } from './checkout-summary.ts'
import type { Checkout } from './use-checkout.ts'
import { useGoBack } from './wizard.ts'
import * as s from './checkout.module.css'

type Props<V extends object> = {
  activation: Activation
  checkout: Checkout<V>
  action: string
  children: ReactNode
}

export function CheckoutForm<V extends object>({ activation, checkout, action, children }: Props<V>) {
  const { form, payment, isConfirming } = checkout
  const { market } = useBootstrap()
  const goBack = useGoBack('PAYMENT', activation)

  useEffect(
    () => (isConfirming ? () => document.getElementById(`${form.id}errors`)?.focus() : undefined),
    [isConfirming, form.id],
  )

  if (isConfirming)
    return (
      <Card>
        <PaymentPending payment={payment} orderCode={activation.order_code} />
      </Card>
    )
  return (
    <>
      <PurchaseSummaryBar bought={buildPurchaseDetails(activation, market)} />
      <Card>
        <form {...form.props}>
          <FormErrors form={form} />
          {children}
          <div className={s.actions}>
            <SubmitButton form={form} wide pendingText="ACTIVATING">
              {action}
            </SubmitButton>
            <Button kind="plain" wide disabled={form.status === 'submitting'} onClick={goBack}>
              BACK
            </Button>
          </div>
        </form>
      </Card>
    </>
  )
}
