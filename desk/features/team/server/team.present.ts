import type { TeamPerson } from '../team.contract.ts'
import type { TeamRow } from './team.view.ts'

const instant = (at: Date | null): string | null => at?.toISOString() ?? null

export const presentPerson = (person: TeamRow): TeamPerson => ({
  id: person.id,
  name: person.name,
  email: person.email,
  roles: person.roles,
  is_lead: person.is_lead,
  passkeys: person.passkeys,
  passkey_used: instant(person.usedAt),
  is_here: person.isHere && person.suspended_at === null,
  seen: instant(person.seenAt),
  // A link of who was suspended since opens nothing.
  invited_until: person.suspended_at ? null : instant(person.invitedUntil),
  suspended: instant(person.suspended_at),
})
