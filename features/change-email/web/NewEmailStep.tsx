import { EmailField } from '#kit/web/form/EmailField.tsx'
import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useEmailQuestion } from '#kit/web/form/use-email-question.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import {
  PasswordConfirmationField,
  usePasswordConfirmation,
  omitEmptyPassword,
} from '#features/account/web/PasswordConfirmation.tsx'
import { type EmailChangeView, newEmailSchema } from '../change-email.contract.ts'
import type { ChangeEmailMutations } from './use-change-email-mutations.ts'
import * as s from './change-email.module.css'

type Props = { change: EmailChangeView; email: string; moves: ChangeEmailMutations; back: string }

export function NewEmailStep({ change, email, moves, back }: Props) {
  const passwordConfirmation = usePasswordConfirmation()
  const form = useForm({
    schema: newEmailSchema,
    initial: { new_email: change.new_email, password: '' },
    draftKey: 'new-email',
    draftOmit: ['password'],
    submit: (values) => passwordConfirmation.track(moves.update(omitEmptyPassword(values))),
  })
  const emailQuestion = useEmailQuestion(form, 'new_email')
  return (
    <form {...form.props} onSubmit={emailQuestion.onSubmit}>
      <p className={s.text}>
        Your email address is <EmailAddress of={email} />.
      </p>
      <FormErrors form={form} />
      <EmailField
        form={form}
        name="new_email"
        label="New email address"
        question={emailQuestion}
        hint="We’ll email a link to this address so that you can confirm it."
      />
      <PasswordConfirmationField form={form} again={passwordConfirmation} email={email} />
      <FormActions back={back} backText="CANCEL">
        <SubmitButton form={form} pendingText="SENDING">
          CONTINUE
        </SubmitButton>
      </FormActions>
    </form>
  )
}
