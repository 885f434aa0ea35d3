import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { EmailField } from '#kit/web/form/EmailField.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useEmailQuestion } from '#kit/web/form/use-email-question.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { retryWithPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { invitationSchema, inviteToTeam, type TeamPerson } from '../team.contract.ts'
import { pendingRequestLabel } from './pending-request.labels.ts'
import { RoleFields, getRoleValues } from './RoleFields.tsx'

type Props = { person?: TeamPerson; onDone: (text: string) => void }

export function InviteForm({ person, onDone }: Props) {
  const api = useApi()
  const { zone } = useBootstrap().market
  const form = useForm({
    schema: invitationSchema,
    initial: { email: person?.email ?? '', name: person?.name ?? '', ...getRoleValues(person) },
    submit: (body) => withFormErrors(retryWithPasskey(api, () => api.call(inviteToTeam, { body }))),
    onSuccess: ({ data }) => onDone(pendingRequestLabel(data.effective, zone)),
  })
  const emailQuestion = useEmailQuestion(form, 'email')
  return (
    <form {...form.props} onSubmit={emailQuestion.onSubmit}>
      {person ? (
        <p>
          {person.suspended
            ? 'The link lets this person back in. Their old passkeys no longer work.'
            : 'This person’s passkeys work until they use the new link. If a passkey was stolen, suspend them first.'}
        </p>
      ) : (
        <p>If this address belongs to someone on the team, they are invited again with these roles.</p>
      )}
      <FormErrors form={form} />
      {!person && <EmailField form={form} name="email" label="E-mail" autoComplete="off" question={emailQuestion} />}
      <TextField form={form} name="name" label="Name" autoComplete="off" />
      <RoleFields form={form} />
      <p>
        The invitation is sent when another admin or a team lead approves it, or after 24 hours unless someone declines
        it. The link goes to the invited person’s own address.
      </p>
      <SubmitButton form={form} wide pendingText="Sending the request">
        Request invitation
      </SubmitButton>
    </form>
  )
}
