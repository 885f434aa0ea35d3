import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { idleMinutes } from '#desk/features/staff/server/sessions.store.ts'
import { listStaff } from '#desk/features/staff/server/staff.store.ts'

type Staff = Awaited<ReturnType<typeof listStaff>>[number]
export type TeamRow = Staff & {
  passkeys: number
  usedAt: Date | null
  seenAt: Date | null
  isHere: boolean
  invitedUntil: Date | null
}

/** Everybody at the desk, with how they come in and when they were here. */
export async function readPeople(db: Db): Promise<TeamRow[]> {
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
        .filterWhere('last_seen_at', '>', toDate(now.subtract({ minutes: idleMinutes })))
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
  const of = <Row extends { staff_id: string }>(rows: Row[], { id }: Staff) =>
    rows.find(({ staff_id }) => staff_id === id)
  return people.map((person) => ({
    ...person,
    passkeys: Number(of(passkeys, person)?.count ?? 0),
    usedAt: of(passkeys, person)?.used_at ?? null,
    seenAt: of(sessions, person)?.seen_at ?? null,
    isHere: Number(of(sessions, person)?.open ?? 0) > 0,
    invitedUntil: of(invitations, person)?.until ?? null,
  }))
}
