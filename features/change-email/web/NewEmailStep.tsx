import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
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
  return (
    <form {...form.props}>
      <p className={s.text}>
        Your email address is <EmailAddress of={email} />.
      </p>
      <FormErrors form={form} />
      <TextField
        form={form}
        name="new_email"
        label="New email address"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
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
