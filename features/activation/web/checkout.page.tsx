import type { Activation } from '../activation.contract.ts'
import { CardCheckout } from './CardCheckout.tsx'
import { CheckoutSummary } from './CheckoutSummary.tsx'
import { VoucherCheckout } from './VoucherCheckout.tsx'
import { WizardPage } from './WizardPage.tsx'

export default function CheckoutPage() {
  return (
    <WizardPage step="payment" title="Payment" aside={(activation) => <CheckoutSummary activation={activation} />} asideNarrow="hidden">
      {(activation: Activation) => (activation.using_voucher ? <VoucherCheckout activation={activation} /> : <CardCheckout activation={activation} />)}
    </WizardPage>
  )
}
