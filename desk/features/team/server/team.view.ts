import type { TeamPerson } from '#desk/features/team/team.contract.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { idleTimeoutMinutes } from '#desk/features/staff/server/sessions.store.ts'
import { listStaff } from '#desk/features/staff/server/staff.store.ts'

const toIsoText = (at: Date | null): string | null => at?.toISOString() ?? null

export const presentPerson = (person: TeamRow): TeamPerson => ({
  id: person.id,
  name: person.name,
  email: person.email,
  roles: person.roles,
  is_lead: person.is_lead,
  passkeys: person.passkeys,
  passkey_used: toIsoText(person.usedAt),
  is_here: person.isHere && person.suspended_at === null,
  seen: toIsoText(person.seenAt),
  // An invitation that was made before the suspension is no longer valid.
  invited_until: person.suspended_at ? null : toIsoText(person.invitedUntil),
  suspended: toIsoText(person.suspended_at),
})

type Staff = Awaited<ReturnType<typeof listStaff>>[number]
export type TeamRow = Staff & {
  passkeys: number
  usedAt: Date | null
  seenAt: Date | null
  isHere: boolean
  invitedUntil: Date | null
}

export async function listTeam(db: Db): Promise<TeamRow[]> {
  const now = realNow()
  const people = await listStaff(db)
  const passkeys = await db
    .selectFrom('passkeys')
    .select(({ fn }) => ['staff_id', fn.countAll().as('count'), fn.max('last_used_at').as('used_at')])
    .groupBy('staff_id')
    .execute()
  const sessions = await db
    .selectFrom('staff_sessions')
    .select(({ fn }) => ['staff_id', fn.max('last_seen_at').as('seen_at')])
    .select(({ fn }) =>
      fn
        .countAll()
        .filterWhere('expires_at', '>', toDate(now))
        .filterWhere('last_seen_at', '>', toDate(now.subtract({ minutes: idleTimeoutMinutes })))
        .as('open'),
    )
    .groupBy('staff_id')
    .execute()
  const invitations = await db
    .selectFrom('staff_invitations')
    .select(({ fn }) => ['staff_id', fn.max('expires_at').as('until')])
    .where('used_at', 'is', null)
    .where('expires_at', '>', toDate(now))
    .groupBy('staff_id')
    .execute()
  const findRow = <Row extends { staff_id: string }>(rows: Row[], { id }: Staff) =>
    rows.find(({ staff_id }) => staff_id === id)
  return people.map((person) => ({
    ...person,
    passkeys: Number(findRow(passkeys, person)?.count ?? 0),
    usedAt: findRow(passkeys, person)?.used_at ?? null,
    seenAt: findRow(sessions, person)?.seen_at ?? null,
    isHere: Number(findRow(sessions, person)?.open ?? 0) > 0,
    invitedUntil: findRow(invitations, person)?.until ?? null,
  }))
}
