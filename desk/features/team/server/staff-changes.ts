import type { ApprovalPayloads, StaffRights } from '#desk/features/approvals/server/approvals.store.ts'
import type { StaffRow } from '#desk/features/staff/server/staff.store.ts'

type PreviousState = ApprovalPayloads['staff']['from']

export const getStaffState = (person: StaffRow | null): PreviousState =>
  person && {
    name: person.name,
    roles: person.roles,
    isLead: person.is_lead,
    isSuspended: person.suspended_at !== null,
  }

/** Whether a person's rights are unchanged since the request. If not, applying it could restore rights that have been removed since. */
export function isUnchangedSince(person: StaffRow | null, from: PreviousState): boolean {
  const now = getStaffState(person)
  if (now === null || from === null) return now === from
  return now.isSuspended === from.isSuspended && now.isLead === from.isLead && now.roles.join() === from.roles.join()
}

export const onlyRemovesRights = (
  person: Pick<StaffRow, 'roles' | 'is_lead'>,
  to: Pick<StaffRights, 'roles' | 'isLead'>,
): boolean => to.roles.every((role) => person.roles.includes(role)) && (person.is_lead || !to.isLead)
