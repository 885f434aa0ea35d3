import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { PurchaseSummary } from '#features/orders/web/PurchaseSummary.tsx'
import type { Activation } from '../activation.contract.ts'
import { CardCheckout } from './CardCheckout.tsx'
import { buildPurchaseDetails } from './checkout-summary.ts'
import { VoucherCheckout } from './VoucherCheckout.tsx'
import { WizardPage } from './WizardPage.tsx'

export default function CheckoutPage() {
  return (
    <WizardPage step="payment" title="Payment" aside={CheckoutSummary} asideNarrow="hidden">
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

function CheckoutSummary({ activation }: { activation: Activation }) {
  const { market } = useBootstrap()
  return <PurchaseSummary bought={buildPurchaseDetails(activation, market)} />
}
