import { randomUUID } from 'node:crypto'
import { type ColumnType, sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    passkeys: {
      id: string
      staff_id: string
      credential_id: string
      public_key: string
      /** This column is a bigint, which the driver returns as text. */
      counter: ColumnType<string, number, number>
      transports: string
      name: string
      made_at: Date
      last_used_at: Date | null
      /** When the passkey starts to count for actions that need two people; `null` means a day after it was created. */
      counts_from: ColumnType<Date | null, Date | null | undefined, never>
    }
    passkey_challenges: {
      challenge_hash: string
      session_hash: string
      invitation_id: string | null
      expires_at: Date
    }
  }
}

const challengeLifetimeMinutes = 5
const minPasskeyAge = '24 hours'

/** SQL for when a `staff` row's passkey starts to count for actions that need two people; null without a passkey. */
export const passkeyEligibleFrom = sql<Date | null>`(
  select max(coalesce(counts_from, made_at + ${minPasskeyAge}::interval)) from passkeys where passkeys.staff_id = staff.id)`

type Challenge = { challengeHash: string; sessionHash: string; invitationId: string | null }

export async function insertChallenge(db: Db, { challengeHash, sessionHash, invitationId }: Challenge): Promise<void> {
  const now = realNow()
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', toDate(now)).execute()
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: challengeHash,
      session_hash: sessionHash,
      invitation_id: invitationId,
      expires_at: toDate(now.add({ minutes: challengeLifetimeMinutes })),
    })
    .execute()
}

/** Deletes a challenge so that it cannot be used again. Returns `false` if this session has no such valid challenge. */
export async function deleteValidChallenge(
  db: Db,
  { challengeHash, sessionHash, invitationId }: Challenge,
): Promise<boolean> {
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', challengeHash)
    .where('session_hash', '=', sessionHash)
    .where('invitation_id', invitationId === null ? 'is' : '=', invitationId)
    .where('expires_at', '>', toDate(realNow()))
    .returning('challenge_hash')
    .executeTakeFirst()
  return taken !== undefined
}

/** Finds a passkey and its owner, unless the owner is suspended. */
export const findPasskey = (db: Db, credentialId: string) =>
  db
    .selectFrom('passkeys')
    .innerJoin('staff', 'staff.id', 'passkeys.staff_id')
    .select(['passkeys.id', 'passkeys.staff_id', 'passkeys.public_key', 'passkeys.counter', 'staff.name'])
    .where('credential_id', '=', credentialId)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()

type NewPasskey = {
  staffId: string
  credentialId: string
  publicKey: string
  counter: number
  transports: string[]
  name: string
  countsAtOnce: boolean
}

export async function insertPasskey(trx: Trx, passkey: NewPasskey): Promise<void> {
  const now = toDate(realNow())
  await trx
    .insertInto('passkeys')
    .values({
      id: randomUUID(),
      staff_id: passkey.staffId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports.join(),
      name: passkey.name,
      made_at: now,
      last_used_at: now,
      counts_from: passkey.countsAtOnce ? now : null,
    })
    .execute()
}

/**
 * Records that the passkey was used. Returns `false` if its counter is no longer `from`: a concurrent use came first,
 * which means a cloned key or a replay.
 */
export async function recordPasskeyUse(
  trx: Trx,
  id: string,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const row = await trx
    .updateTable('passkeys')
    .set({ counter: to, last_used_at: toDate(realNow()) })
    .where('id', '=', id)
    .where('counter', '=', String(from))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const removePasskeys = (trx: Trx, staffId: string): Promise<unknown> =>
  trx.deleteFrom('passkeys').where('staff_id', '=', staffId).execute()
