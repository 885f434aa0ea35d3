import type { StaffGroup } from '../staff.contract.ts'

const groupNames: Record<StaffGroup, string> = {
  support: 'support staff',
  finance: 'finance staff',
  admin: 'admins',
  lead: 'team leads in support or finance',
}
const staffGroups = Object.keys(groupNames) as StaffGroup[]

export function allowedGroupsFromUrl(search: string): StaffGroup[] {
  const named = new URLSearchParams(search).get('needs')?.split(',') ?? []
  return staffGroups.filter((group) => named.includes(group))
}

export function allowedGroupsText(allowed: readonly StaffGroup[]): string {
  const names = allowed.map((group) => groupNames[group])
  const last = names.pop() ?? ''
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last
}
