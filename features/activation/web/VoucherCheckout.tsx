import * as v from 'valibot'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { forgetVoucher } from '#features/vouchers/web/kept-voucher.ts'
import type { Activation } from '../activation.contract.ts'
import { SummaryOnPhone } from './CheckoutSummary.tsx'
import { useCheckout } from './use-checkout.ts'
import { useBack } from './wizard.ts'

const nothing = v.object({})

/** The plan is paid for: there is no card to ask for. */
export function VoucherCheckout({ activation }: { activation: Activation }) {
  const checkout = useCheckout(activation)
  const form = useForm({
    schema: nothing,
    initial: {},
    transform: () => ({ payment_method: '2' }),
    submit: async (body) => {
      await checkout.submit(body)
      forgetVoucher()
    },
  })
  const back = useBack(activation)
  return (
    <Card>
      <form {...form.props}>
        <FormErrors form={form} />
        <p>Your voucher pays for this plan. You will not be charged today.</p>
        <SummaryOnPhone activation={activation} />
        <FormActions back={back}><SubmitButton form={form} pendingText="ACTIVATING">ACTIVATE</SubmitButton></FormActions>
      </form>
    </Card>
  )
}
