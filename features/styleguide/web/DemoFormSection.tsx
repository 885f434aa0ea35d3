import { useRef } from 'react'
import { CheckboxField } from '#kit/web/form/CheckboxField.tsx'
import { ChoiceField } from '#kit/web/form/ChoiceField.tsx'
import { EmailField } from '#kit/web/form/EmailField.tsx'
import type { Form } from '#kit/web/form/form.ts'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { CookiesNeeded } from '#kit/web/form/CookiesNeeded.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import { SelectField } from '#kit/web/form/SelectField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { type EmailQuestion, useEmailQuestion } from '#kit/web/form/use-email-question.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { Button } from '#kit/web/widgets/Button.tsx'
import { simulateResponse, demoResponses, demoSchema, demoValues } from './demo-form.ts'
import { Section } from './Section.tsx'

export function DemoFormSection() {
  const pendingResponse = useRef(Promise.withResolvers<void>())
  const form = useForm({
    schema: demoSchema,
    initial: demoValues,
    submit: ({ answer }) => simulateResponse(answer, pendingResponse.current.promise),
    successMessage: 'Saved',
  })

  const emailQuestion = useEmailQuestion(form, 'email')

  function releaseResponse() {
    pendingResponse.current.resolve()
    pendingResponse.current = Promise.withResolvers()
  }

  return (
    <Section
      title="Example form"
      note="This form has the same rules and messages as a real form, but sends nothing. Its last question selects the simulated response."
    >
      <form {...form.props} onSubmit={emailQuestion.onSubmit}>
        <CookiesNeeded form={form} />
        <FormErrors form={form} />
        <PersonFields form={form} emailQuestion={emailQuestion} />
        <ChoiceField
          form={form}
          name="setup_porting"
          legend="Your phone number"
          options={[
            {
              value: true,
              label: 'Yes, Transfer (Port) Existing Number',
              description: 'It usually takes about 4 hours in business hours.',
            },
            { value: false, label: 'No, use the Phone Number on the SIM pack' },
          ]}
        />
        <CheckboxField form={form} name="marketing_consent" label="Send me offers from time to time" />
        <ChoiceField form={form} name="answer" legend="Which response should be simulated?" options={demoResponses} />
        <FormActions back={() => form.reset()} backText="Reset">
          <SubmitButton form={form} pendingText="Saving…">
            Save
          </SubmitButton>
        </FormActions>
      </form>
      {form.status === 'submitting' && (
        <p>
          <Button kind="quiet" onClick={releaseResponse}>
            Simulate the response
          </Button>
        </p>
      )}
    </Section>
  )
}

function PersonFields({ form, emailQuestion }: { form: Form<typeof demoValues>; emailQuestion: EmailQuestion }) {
  return (
    <>
      <TextField form={form} name="full_name" label="Full name" autoComplete="off" hint="As it appears on your bill" />
      <EmailField form={form} name="email" label="Email" autoComplete="off" question={emailQuestion} />
      <PasswordField
        form={form}
        name="password"
        label="Password"
        autoComplete="new-password"
        hint="At least 6 characters, one of them a letter"
      />
      <SelectField
        form={form}
        name="provider"
        label="Existing provider"
        placeholder="Choose a provider"
        autoComplete="off"
        options={['Blue Mobile', 'Green Mobile', 'Red Mobile'].map((name) => ({ value: name, label: name }))}
      />
    </>
  )
}
