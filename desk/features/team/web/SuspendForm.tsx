import { useApi } from '#kit/web/api.tsx'
import { NoteField } from '#kit/web/desk/NoteField.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { retryWithPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { suspensionSchema, suspendPerson, type TeamPerson } from '../team.contract.ts'

type Props = { person: TeamPerson; onDone: (text: string) => void }

export function SuspendForm({ person: { id, name }, onDone }: Props) {
  const api = useApi()
  const form = useForm({
    schema: suspensionSchema,
    initial: { reason: '' },
    submit: (body) => withFormErrors(retryWithPasskey(api, () => api.call(suspendPerson, { params: { id }, body }))),
    onSuccess: () => onDone(`${name} is suspended.`),
  })
  return (
    <form {...form.props}>
      <p>
        This person is signed out at once and can’t sign in again until they accept a new invitation. We’ll email the
        team leads.
      </p>
      <FormErrors form={form} />
      <NoteField form={form} name="reason" label="Reason" maxLength={500} hint="Recorded in the audit log." />
      <SubmitButton form={form} wide pendingText="One moment">
        Suspend
      </SubmitButton>
    </form>
  )
}
