import { randomUUID } from 'node:crypto'
import type { Generated } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Role } from '../staff.contract.ts'
import { passkeyEligibleFrom } from './passkeys.store.ts'
import { parseRoles } from './staff.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    staff_sessions: {
      id: string
      token_hash: string
      staff_id: string
      made_at: Date
      last_seen_at: Date
      expires_at: Date
      /** When a passkey was last used in this session. */
      shown_at: Date
      browser: string | null
      system: string | null
      opened_by: Generated<SignInMethod>
    }
  }
}

type SignInMethod = 'passkey' | 'demo'

/** How long a session may last in hours, and how long it may be idle in minutes. */
export const sessionLifetimeHours = 8
export const idleTimeoutMinutes = 30
/** Minimum number of seconds between two writes to `last_seen_at`. */
const lastSeenIntervalSeconds = 60

/** The signed-in staff member and their rights. Both are read afresh for each request, so that a suspension takes effect immediately. */
export type SignedInStaff = {
  id: string
  name: string
  email: string
  roles: Role[]
  isLead: boolean
  passkeys: number
  sessionId: string
  shownAt: Date
  isPasskeyOldEnough: boolean
  passkeyCountsFrom: Date | null
}

/** Returns a session's owner. `null` if the session is unknown, has ended or was idle for too long, or if its owner is suspended. */
export async function findStaffSession(db: Db, tokenHash: string): Promise<SignedInStaff | null> {
  const now = realNow()
  const row = await db
    .selectFrom('staff_sessions')
    .innerJoin('staff', 'staff.id', 'staff_sessions.staff_id')
    .select(['staff.id', 'staff.name', 'staff.email', 'staff.roles', 'staff.is_lead'])
    .select(['staff_sessions.id as session_id', 'staff_sessions.shown_at', 'staff_sessions.last_seen_at'])
    .select('staff_sessions.opened_by')
    .select(({ selectFrom }) =>
      selectFrom('passkeys')
        .select(({ fn }) => fn.countAll().as('passkeys'))
        .whereRef('passkeys.staff_id', '=', 'staff.id')
        .as('passkeys'),
    )
    .select(passkeyEligibleFrom.as('counts_from'))
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', toDate(now))
    .where('last_seen_at', '>', toDate(now.subtract({ minutes: idleTimeoutMinutes })))
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  if (row.last_seen_at < toDate(now.subtract({ seconds: lastSeenIntervalSeconds })))
    await db
      .updateTable('staff_sessions')
      .set({ last_seen_at: toDate(now) })
      .where('id', '=', row.session_id)
      .execute()
  const { id, name, email, roles, is_lead, session_id, shown_at, passkeys, opened_by, counts_from } = row
  return {
    id,
    name,
    email,
    roles: parseRoles(roles),
    isLead: is_lead,
    passkeys: Number(passkeys),
    sessionId: session_id,
    shownAt: shown_at,
    isPasskeyOldEnough: opened_by === 'demo' || (counts_from !== null && counts_from <= toDate(now)),
    passkeyCountsFrom: counts_from,
  }
}

type NewSession = {
  tokenHash: string
  staffId: string
  openedBy: SignInMethod
  browser: string | null
  system: string | null
}

export async function insertStaffSession(
  trx: Trx,
  { tokenHash, staffId, openedBy, browser, system }: NewSession,
): Promise<void> {
  const now = realNow()
  await trx
    .insertInto('staff_sessions')
    .values({
      id: randomUUID(),
      token_hash: tokenHash,
      staff_id: staffId,
      made_at: toDate(now),
      last_seen_at: toDate(now),
      expires_at: toDate(now.add({ hours: sessionLifetimeHours })),
      shown_at: toDate(now),
      browser,
      system,
      opened_by: openedBy,
    })
    .execute()
}

export async function endStaffSessions(trx: Trx, target: { staffId: string } | { tokenHash: string }): Promise<void> {
  await trx
    .updateTable('staff_sessions')
    .set({ expires_at: toDate(realNow()) })
    .where(
      'staffId' in target ? 'staff_id' : 'token_hash',
      '=',
      'staffId' in target ? target.staffId : target.tokenHash,
    )
    .where('expires_at', '>', toDate(realNow()))
    .execute()
}

export async function purgeStaffSessions(db: Db): Promise<void> {
  await db
    .deleteFrom('staff_sessions')
    .where('expires_at', '<', toDate(realNow().subtract({ hours: 24 * 30 })))
    .execute()
}
