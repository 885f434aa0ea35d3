import { randomUUID } from 'node:crypto'
import type { Generated } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    staff_invitations: {
      id: string
      staff_id: string
      token_hash: string
      made_by: string
      made_at: Date
      expires_at: Date
      used_at: Date | null
      /** Whether the new passkey can be used immediately for actions that need two people, rather than after a day. */
      counts_at_once: Generated<boolean>
    }
  }
}

const invitationLifetimeHours = 24

type NewInvitation = { staffId: string; tokenHash: string; madeBy: string; countsAtOnce: boolean }

/** Creates an invitation, and invalidates this person's earlier invitations. */
export async function insertInvitation(
  trx: Trx,
  { staffId, tokenHash, madeBy, countsAtOnce }: NewInvitation,
): Promise<void> {
  const now = realNow()
  await trx
    .updateTable('staff_invitations')
    .set({ expires_at: toDate(now) })
    .where('staff_id', '=', staffId)
    .where('expires_at', '>', toDate(now))
    .execute()
  await trx
    .insertInto('staff_invitations')
    .values({
      id: randomUUID(),
      staff_id: staffId,
      token_hash: tokenHash,
      made_by: madeBy,
      made_at: toDate(now),
      expires_at: toDate(now.add({ hours: invitationLifetimeHours })),
      used_at: null,
      counts_at_once: countsAtOnce,
    })
    .execute()
}

/** Finds an invitation that is unused and has not expired, together with its recipient. The recipient must not be suspended. */
export const findInvitation = (db: Db, tokenHash: string) =>
  db
    .selectFrom('staff_invitations')
    .innerJoin('staff', 'staff.id', 'staff_invitations.staff_id')
    .select([
      'staff_invitations.id',
      'staff.id as staff_id',
      'staff.name',
      'staff.email',
      'staff.roles',
      'counts_at_once',
    ])
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', toDate(realNow()))
    .where('suspended_at', 'is', null)
    .executeTakeFirst()

/** Marks an invitation as used. Returns `true` only to the first caller. */
export async function consumeInvitation(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .updateTable('staff_invitations')
    .set({ used_at: toDate(realNow()) })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', toDate(realNow()))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
