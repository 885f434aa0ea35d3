import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { retryWithPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { changeRoles, roleChangeSchema, type TeamPerson } from '../team.contract.ts'
import { pendingRequestLabel } from './pending-request.labels.ts'
import { RoleFields, getRoleValues } from './RoleFields.tsx'

type Props = { person: TeamPerson; onDone: (text: string) => void }

export function RolesForm({ person: { id, name, ...currentRights }, onDone }: Props) {
  const api = useApi()
  const { zone } = useBootstrap().market
  const form = useForm({
    schema: roleChangeSchema,
    initial: getRoleValues(currentRights),
    submit: (body) => withFormErrors(retryWithPasskey(api, () => api.call(changeRoles, { params: { id }, body }))),
    onSuccess: ({ data: { effective } }) =>
      onDone(effective ? pendingRequestLabel(effective, zone) : `${name}’s roles have been saved.`),
  })
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <RoleFields form={form} />
      <p>
        Removing roles takes effect at once. Adding roles takes effect when another admin or a team lead approves it, or
        after 24 hours unless someone declines it.
      </p>
      <SubmitButton form={form} wide pendingText="One moment">
        Change roles
      </SubmitButton>
    </form>
  )
}
