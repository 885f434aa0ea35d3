import { CardCheckout } from './CardCheckout.tsx'
import { CheckoutSummary } from './CheckoutSummary.tsx'
import { VoucherCheckout } from './VoucherCheckout.tsx'
import { WizardPage } from './WizardPage.tsx'

export default function CheckoutPage() {
  return (
    <WizardPage step="payment" title="Payment" aside={CheckoutSummary} asideNarrow="hidden">
      {(activation) => (activation.using_voucher ? <VoucherCheckout activation={activation} /> : <CardCheckout activation={activation} />)}
    </WizardPage>
  )
}
