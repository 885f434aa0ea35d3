import { FormActions } from '#kit/web/form/FormActions.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { PasswordAgainField, usePasswordAgain, withoutEmptyPassword } from '#features/account/web/PasswordAgain.tsx'
import { type ChangeEmail, newEmailSchema } from '../change-email.contract.ts'
import type { Moves } from './use-change-email.ts'
import * as s from './change-email.module.css'

type Props = { change: ChangeEmail; email: string; moves: Moves; back: string }

export function NewEmailStep({ change, email, moves, back }: Props) {
  const again = usePasswordAgain()
  const form = useForm({
    schema: newEmailSchema,
    initial: { new_email: change.new_email, password: '' },
    draftKey: 'new-email',
    draftOmit: ['password'],
    submit: (values) => again.watch(moves.update(withoutEmptyPassword(values))),
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
        hint="We’ll email a link to this address to confirm it."
      />
      <PasswordAgainField form={form} again={again} email={email} />
      <FormActions back={back} backText="CANCEL">
        <SubmitButton form={form} pendingText="SENDING">
          CONTINUE
        </SubmitButton>
      </FormActions>
    </form>
  )
}
