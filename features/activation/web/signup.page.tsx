import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { CheckboxField } from '#kit/web/form/CheckboxField.tsx'
import { EmailField } from '#kit/web/form/EmailField.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useEmailQuestion } from '#kit/web/form/use-email-question.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import type { QueryKey } from '#kit/web/query/query-client.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { marketingConsent } from '#features/auth/marketing.contract.ts'
import type { Activation } from '../activation.contract.ts'
import { signupStepSchema, submitSignup } from '../signup-step.contract.ts'
import { NextStepCost } from './NextStepCost.tsx'
import { EnteredDetails } from './EnteredDetails.tsx'
import { useGoBack, useStepSubmit } from './wizard.ts'
import { WizardPage } from './WizardPage.tsx'

export default function SignupPage() {
  return (
    <WizardPage
      step="personal"
      title="Your Personal Details"
      intro="You’ll use these details to log in and manage your service."
      aside={EnteredDetails}
      asideNarrow="hidden"
    >
      {(activation) => <SignupStep activation={activation} />}
    </WizardPage>
  )
}

/** Whether the visitor agreed to marketing emails. Kept in this tab's memory only, so a reload of the page loses it. */
const consentQueryKey: QueryKey<boolean> = ['activation-consent']

function useSignupForm({ full_name, email }: Activation) {
  const client = useQueryClient()
  const submitStep = useStepSubmit(submitSignup)
  return useForm({
    schema: signupStepSchema,
    initial: {
      full_name,
      email,
      password: '',
      marketing_consent: full_name !== '' && client.getQueryData(consentQueryKey) === true,
    },
    draftKey: 'activate-signup',
    draftOmit: ['password'],
    async submit(values) {
      await submitStep(values)
      client.setQueryData(consentQueryKey, values.marketing_consent)
    },
  })
}

function SignupStep({ activation }: { activation: Activation }) {
  const { brand } = useBootstrap()
  const goBack = useGoBack('CREATED', activation)
  const form = useSignupForm(activation)
  const emailQuestion = useEmailQuestion(form, 'email')
  return (
    <Card>
      <form {...form.props} onSubmit={emailQuestion.onSubmit}>
        <FormErrors form={form} />
        <TextField
          form={form}
          name="full_name"
          label="Full name"
          autoComplete="name"
          hint="Your first name and your last name"
        />
        <EmailField
          form={form}
          name="email"
          label="Email"
          question={emailQuestion}
          hint="We’ll send your invoice here"
        />
        <PasswordField
          form={form}
          name="password"
          label="New password"
          autoComplete="new-password"
          hint="At least 6 characters and one letter"
        />
        <CheckboxField
          form={form}
          name="marketing_consent"
          label={marketingConsent(brand.name)}
          hint={!form.values.marketing_consent && 'Tick the box to continue.'}
        />
        <NextStepCost>Next: your plan. You’ll see its price before you choose.</NextStepCost>
        <FormActions back={goBack}>
          <SubmitButton form={form} pendingText="SAVING" disabled={!form.values.marketing_consent}>
            CONTINUE
          </SubmitButton>
        </FormActions>
      </form>
    </Card>
  )
}
