import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { PlanChooser } from '#features/plans/web/PlanChooser.tsx'
import { type Activation, submitPlan } from '../activation.contract.ts'
import { useBack, useStepSubmit } from './wizard.ts'
import { WizardPage } from './WizardPage.tsx'

export default function PlansPage() {
  return (
    <WizardPage
      step="plan"
      wide
      title="Choose Your Prepay Plan"
      intro="Unlimited standard calls and texts to New Zealand and Australia on every plan."
    >
      {(activation) => <PlanStep activation={activation} />}
    </WizardPage>
  )
}

function PlanStep({ activation }: { activation: Activation }) {
  const { product } = activation
  const back = useBack(activation)
  const submitStep = useStepSubmit(submitPlan)
  const form = useForm({
    schema: submitPlan.body,
    initial: { plan: product?.unique_id ?? '', length: product?.length ?? 0 },
    draftKey: 'activate-plan',
    submit: ({ plan }) => submitStep({ plan }),
  })
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <PlanChooser form={form} />
      <FormActions back={back}>
        <SubmitButton form={form} pendingText="SAVING">
          CONTINUE
        </SubmitButton>
      </FormActions>
    </form>
  )
}
