import type { Form } from '#kit/web/form/form.ts'
import { CheckboxField } from '#kit/web/form/CheckboxField.tsx'
import { type Role, roleNames, roles } from '#desk/features/staff/staff.contract.ts'
import type { TeamPerson } from '../team.contract.ts'
import * as s from './team.module.css'

type RoleValues = Record<Role | 'is_lead', boolean>

export const getRoleValues = (person?: Pick<TeamPerson, 'roles' | 'is_lead'>): RoleValues => ({
  support: person?.roles.includes('support') ?? false,
  finance: person?.roles.includes('finance') ?? false,
  admin: person?.roles.includes('admin') ?? false,
  is_lead: person?.is_lead ?? false,
})

export function RoleFields({ form }: { form: Form<RoleValues> }) {
  return (
    <fieldset className={s.roles}>
      <legend>Roles</legend>
      {roles.map((role) => (
        <CheckboxField key={role} form={form} name={role} label={roleNames[role]} optional />
      ))}
      <CheckboxField
        form={form}
        name="is_lead"
        label="Lead"
        hint="Can approve or decline other people’s requests."
        optional
      />
    </fieldset>
  )
}
