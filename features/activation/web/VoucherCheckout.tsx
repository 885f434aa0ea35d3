import { object } from 'valibot'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import type { Activation } from '../activation.contract.ts'
import { CheckoutForm } from './CheckoutForm.tsx'
import { useCheckout } from './use-checkout.ts'

const emptySchema = object({})

export function VoucherCheckout({ activation }: { activation: Activation }) {
  const checkout = useCheckout(activation, { schema: emptySchema, initial: {}, body: () => ({ payment_method: '2' }) })
  return (
    <CheckoutForm activation={activation} checkout={checkout} action="ACTIVATE">
      {!activation.voucher_refusal ? (
        <Banner key="pays" kind="good" title="You will not be charged today.">
          <p>Your voucher pays for the {activation.plan_title}.</p>
        </Banner>
      ) : (
        <Banner key="refused" kind="bad" title={activation.voucher_refusal}>
          <p>You will not be charged today. Go back to use another code or to buy a plan.</p>
        </Banner>
      )}
    </CheckoutForm>
  )
}
