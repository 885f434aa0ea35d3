import { getCoveredCountries } from '#kit/contract/countries.ts'
import { formatPrice, decimalToCents } from '#kit/contract/money.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import PlanChooser from '#features/plans/web/PlanChooser.tsx'
import { productsQuery } from '#features/plans/web/plans.queries.ts'
import { type Activation, planStepSchema, submitPlan } from '../activation.contract.ts'
import { NextStepCost } from './NextStepCost.tsx'
import { useGoBack, useStepSubmit } from './wizard.ts'
import { WizardPage } from './WizardPage.tsx'

export default function PlansPage() {
  const { market } = useBootstrap()
  return (
    <WizardPage
      step="plan"
      wide
      title="Choose Your Prepay Plan"
      intro={`Unlimited standard calls and texts to ${getCoveredCountries(market)} on every plan.`}
    >
      {(activation) => <PlanStep activation={activation} />}
    </WizardPage>
  )
}

function PlanStep({ activation }: { activation: Activation }) {
  const { product } = activation
  const goBack = useGoBack('METHOD_ENTERED', activation)
  const submitStep = useStepSubmit(submitPlan)
  const form = useForm({
    schema: planStepSchema,
    initial: { plan: product?.unique_id ?? '', length: product?.length ?? 0 },
    draftKey: 'activate-plan',
    submit: ({ plan }) => submitStep({ plan }),
  })
  const chosenPlan = useQuery(productsQuery(useApi())).data?.[form.values.plan]
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <PlanChooser form={form} newCustomers={activation.is_new_customer} />
      {chosenPlan && (
        <NextStepCost>Next: payment. You’ll pay {formatPrice(decimalToCents(chosenPlan.price))} in total.</NextStepCost>
      )}
      <FormActions back={goBack}>
        <SubmitButton form={form} pendingText="SAVING">
          CONTINUE
        </SubmitButton>
      </FormActions>
    </form>
  )
}
