import { useApi } from '#kit/web/api.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { withPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { changeRoles, rolesBody, type TeamPerson } from '../team.contract.ts'
import { RoleFields, ticksOf } from './RoleFields.tsx'

type Props = { person: TeamPerson; onDone: (said: string) => void }

export function RolesForm({ person: { id, name, ...has }, onDone }: Props) {
  const api = useApi()
  const form = useForm({
    schema: rolesBody,
    initial: ticksOf(has),
    submit: (body) => inWords(withPasskey(api, () => api.call(changeRoles, { params: { id }, body }))),
    onSuccess: () => onDone(`${name} has these roles from now on.`),
  })
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <RoleFields form={form} />
      <SubmitButton form={form} wide pendingText="One moment">
        Change roles
      </SubmitButton>
    </form>
  )
}
