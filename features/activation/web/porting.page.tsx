import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { portingFormSchemas } from '#features/porting/porting.contract.ts'
import { PortingForm, initialPortingValues, toPortingBody } from '#features/porting/web/PortingForm.tsx'
import type { Activation } from '../activation.contract.ts'
import { submitPort } from '../port-step.contract.ts'
import { useGoBack, useStepSubmit } from './wizard.ts'
import { WizardPage } from './WizardPage.tsx'

export default function PortingPage() {
  return (
    <WizardPage
      step="porting"
      wide
      title="Number Transfer Details"
      intro="Tell us which number you’re bringing. You can keep using it until it moves, and there’s no charge."
    >
      {(activation) => <PortingStep activation={activation} />}
    </WizardPage>
  )
}

function PortingStep({ activation }: { activation: Activation }) {
  const goBack = useGoBack('PORTING_ENTERED', activation)
  const { market } = useBootstrap()
  const submitStep = useStepSubmit(submitPort)
  const form = useForm({
    schema: portingFormSchemas[market.phoneRegion],
    initial: initialPortingValues(activation.porting_request),
    draftKey: 'activate-porting',
    submit: (values) => submitStep(toPortingBody(values)),
  })
  return <PortingForm form={form} donors={activation.porting_providers} submitText="CONTINUE" back={goBack} />
}
