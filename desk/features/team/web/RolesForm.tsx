import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { withPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { changeRoles, rolesBody, type TeamPerson } from '../team.contract.ts'
import { requestedWords } from './requested-words.ts'
import { RoleFields, ticksOf } from './RoleFields.tsx'

type Props = { person: TeamPerson; onDone: (said: string) => void }

export function RolesForm({ person: { id, name, ...has }, onDone }: Props) {
  const api = useApi()
  const { zone } = useBootstrap().market
  const form = useForm({
    schema: rolesBody,
    initial: ticksOf(has),
    submit: (body) => inWords(withPasskey(api, () => api.call(changeRoles, { params: { id }, body }))),
    onSuccess: ({ data: { effective } }) =>
      onDone(effective ? requestedWords(effective, zone) : `${name} now has these roles.`),
  })
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <RoleFields form={form} />
      <p>
        Removing roles takes effect at once. Adding roles takes effect when another admin or a lead approves, or after
        24 hours.
      </p>
      <SubmitButton form={form} wide pendingText="One moment">
        Change roles
      </SubmitButton>
    </form>
  )
}
