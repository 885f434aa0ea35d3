import { useEffect, useEffectEvent } from 'react'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { Card } from '#kit/web/widgets/Card.tsx'
import { saveVoucher, readSavedVoucher } from '#features/vouchers/web/saved-voucher.ts'
import { useEnteredVoucher } from '#features/vouchers/web/voucher.queries.ts'
import { VoucherCodeField } from '#features/vouchers/web/VoucherCodeField.tsx'
import type { Activation } from '../activation.contract.ts'
import { methodStepSchema, submitMethod } from '../method-step.contract.ts'
import { NextStepCost } from './NextStepCost.tsx'
import { EnteredDetails } from './EnteredDetails.tsx'
import { useGoBack, useStepSubmit } from './wizard.ts'
import { WizardPage } from './WizardPage.tsx'

export default function MethodPage() {
  return (
    <WizardPage
      step="plan"
      title="Choose Your Prepay Plan"
      intro="Buy a plan now, or use a Voucher Code."
      aside={EnteredDetails}
      asideNarrow="hidden"
    >
      {(activation) => <MethodStep activation={activation} />}
    </WizardPage>
  )
}

type MethodFormValues = { method: Activation['method']; code: string }

function MethodStep({ activation }: { activation: Activation }) {
  const goBack = useGoBack('DETAILS_ENTERED', activation)
  const submitStep = useStepSubmit(submitMethod)
  const initialValues: MethodFormValues = { method: activation.method, code: '' }
  const form = useForm({
    schema: methodStepSchema,
    initial: initialValues,
    draftKey: 'activate-method',
    async submit(values) {
      await submitStep(values)
      if (values.method === 'voucher') saveVoucher(values.code)
    },
  })
  useSavedVoucherCode(form)
  return (
    <Card>
      <form {...form.props}>
        <FormErrors form={form} />
        <ChoiceField
          form={form}
          name="method"
          legend="How would you like to get your Prepay Plan?"
          options={[
            { value: 'payment', label: 'Buy a Prepay Plan now', description: 'Choose a plan and pay by card.' },
            {
              value: 'voucher',
              label: 'I have an email with a Voucher Code',
              description: 'Use the code instead of paying by card.',
            },
          ]}
        />
        {form.values.method === 'voucher' && <VoucherCodeField form={form} />}
        <NextStepCost>
          {form.values.method === 'voucher' ? (
            <VoucherCostNote form={form} />
          ) : (
            <span>Next: choose a plan. You’ll see the prices now, and pay in the last step.</span>
          )}
        </NextStepCost>
        <FormActions back={goBack}>
          <SubmitButton form={form} pendingText="SAVING">
            CONTINUE
          </SubmitButton>
        </FormActions>
      </form>
    </Card>
  )
}

function VoucherCostNote({ form }: { form: Form<MethodFormValues> }) {
  return useEnteredVoucher(form).data ? (
    <span key="found">Next: activate your SIM. Your voucher pays for the plan, so you pay $0.00.</span>
  ) : (
    <span key="none">Next: activate your SIM. Enter your code to see the plan it pays for.</span>
  )
}

function useSavedVoucherCode(form: Form<MethodFormValues>): void {
  const {
    hydrated,
    values: { method },
  } = form
  const fillInCode = useEffectEvent(() => {
    const code = readSavedVoucher()
    if (code && method !== 'payment' && form.values.code === '') form.setMany({ method: 'voucher', code })
  })
  useEffect(() => {
    if (hydrated) fillInCode()
  }, [hydrated, method])
}
