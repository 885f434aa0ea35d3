import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { PurchaseSummary } from '#features/orders/web/PurchaseSummary.tsx'
import type { Activation } from '../activation.contract.ts'
import { CardCheckout } from './CardCheckout.tsx'
import { purchaseDetailsOf } from './checkout-summary.ts'
import { VoucherCheckout } from './VoucherCheckout.tsx'
import { WizardPage } from './WizardPage.tsx'

export default function CheckoutPage() {
  return (
    <WizardPage step="payment" title="Payment" aside={Summary} asideNarrow="hidden">
      {(activation) =>
        activation.using_voucher ? (
          <VoucherCheckout activation={activation} />
        ) : (
          <CardCheckout activation={activation} />
        )
      }
    </WizardPage>
  )
}

function Summary({ activation }: { activation: Activation }) {
  const { market } = useBootstrap()
  return <PurchaseSummary bought={purchaseDetailsOf(activation, market)} />
}
