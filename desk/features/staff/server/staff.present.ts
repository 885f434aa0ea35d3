import type { SignedInStaff } from './sessions.store.ts'
import type { StaffRow } from './staff.store.ts'

export const presentStaff = ({ id, name, email, roles, isLead, passkeys }: SignedInStaff) => ({
  id,
  name,
  email,
  roles,
  is_lead: isLead,
  passkeys,
})

export const presentDemoPerson = ({ email, name, roles, is_lead }: StaffRow) => ({ email, name, roles, is_lead })
