import { randomUUID } from 'node:crypto'
import { type Generated, type Selectable, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import { type Db, isUniqueViolation, type Trx } from '#kit/server/db.ts'
import type { SignedInUser } from '#kit/server/session.ts'
import { queryPart, type Value } from '#kit/server/combined-query.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    users: UserTable
  }
}

type UserTable = {
  id: string
  email: string
  email_verified_at: Date | null
  password_hash: string
  first_name: string
  last_name: string
  marketing_consent: boolean
  contact_service_id: string | null
  made_by_order: string | null
  made_in_session: string | null
  created_at: Date
  updated_at: Date
  blocked_at: Date | null
  /** Part of the account's rate-limit keys. Incrementing it resets the limits. */
  limits_epoch: Generated<number>
  /** Part of the signed cookies of known browsers. Incrementing this number revokes all of the account's known browsers. */
  password_epoch: Generated<number>
  erased_at: Date | null
}
export type User = Selectable<UserTable>

export const findUser = (db: Db | Trx, id: string) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

export async function findUsers(db: Db | Trx, ids: readonly string[]): Promise<Map<string, User>> {
  const { rows } = await sql<User>`select * from users where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export const accountQueryPart = (db: Db, id: Value) =>
  queryPart(
    db
      .selectFrom('users')
      .select(['email', 'email_verified_at', 'first_name', 'last_name', 'updated_at'])
      .where('id', '=', id),
    { email_verified_at: true, updated_at: true },
  )

export const lockUser = (trx: Trx, id: string) =>
  trx.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

type UserNames = Pick<UserTable, 'first_name' | 'last_name'>
type NewUser = UserNames &
  Pick<UserTable, 'email' | 'password_hash' | 'marketing_consent'> &
  Partial<Pick<UserTable, 'made_by_order' | 'made_in_session'>>

export async function insertUser(trx: Trx, user: NewUser, at: Temporal.Instant): Promise<string> {
  const now = toDate(at)
  const id = randomUUID()
  await trx
    .insertInto('users')
    .values({
      id,
      ...user,
      email_verified_at: null,
      contact_service_id: null,
      blocked_at: null,
      erased_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return id
}

/** Lists all accounts with an email address: the verified account first, then the others from newest to oldest. */
export const listAccountsWithEmail = (db: Db | Trx, email: string): Promise<User[]> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email)
    .orderBy('email_verified_at', (order) => order.asc().nullsLast())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

export const findVerifiedAccount = (db: Db | Trx, email: string): Promise<User | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst()

export const isEmailTaken = (error: unknown): boolean => isUniqueViolation(error, 'one_proved_account_for_an_address')

/** Locks accounts in ascending order of id, so that concurrent callers cannot deadlock. */
export const lockUsers = (trx: Trx, ids: string[]): Promise<User[]> =>
  trx.selectFrom('users').selectAll().where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()

/**
 * Locks the account until the transaction ends, so that its password cannot change and it cannot be blocked. Returns
 * `undefined` if either has already happened.
 */
export const lockUserWithPassword = (
  trx: Trx,
  id: string,
  hashes: string[],
): Promise<Pick<User, 'id' | 'password_epoch'> | undefined> =>
  trx
    .selectFrom('users')
    .select(['id', 'password_epoch'])
    .where('id', '=', id)
    .where('password_hash', 'in', hashes)
    .where('blocked_at', 'is', null)
    .forShare()
    .executeTakeFirst()

/** Stores a hash of the same password with a different salt, unless the password has changed since it was read. */
export async function replacePasswordSalt(
  db: Db,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .execute()
}

/**
 * Makes a new account's first number its contact phone. An existing account keeps its contact phone, or stays without
 * one. Otherwise a stranger who activates a SIM under the account's address would receive its PINs.
 */
export async function setFirstContactService(
  trx: Trx,
  user: { id: string; madeByOrder: string },
  serviceId: string,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ contact_service_id: serviceId })
    .where('id', '=', user.id)
    .where('made_by_order', '=', user.madeByOrder)
    .where('contact_service_id', 'is', null)
    .execute()
}

export async function findAccountCreatedByOrder(trx: Trx, orderId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('made_by_order', '=', orderId)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

export async function deleteUser(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute()
}

/**
 * Marks the email address as verified by this account, provided the account still has the address the link was sent to.
 * @throws the database's unique violation, recognised by `isEmailTaken`, when another account has verified the address
 */
export async function markEmailVerified(
  trx: Trx,
  userId: string,
  email: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ email_verified_at: toDate(now), updated_at: toDate(now) })
    .where('id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function renameUser(trx: Trx, id: string, names: UserNames, now: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...names, updated_at: toDate(now) })
    .where('id', '=', id)
    .execute()
}

export async function setMarketingConsent(
  trx: Trx,
  id: string,
  isGiven: boolean,
  now: Temporal.Instant,
): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ marketing_consent: isGiven, updated_at: toDate(now) })
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .where('marketing_consent', '!=', isGiven)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function setContactService(trx: Trx, id: string, serviceId: string, now: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('users')
    .set({ contact_service_id: serviceId, updated_at: toDate(now) })
    .where('id', '=', id)
    .execute()
}

/** Clears the contact phone when its service is released, because PINs must not be sent to a released number. */
export async function clearContactPhone(trx: Trx, serviceId: string, at: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('users')
    .set({ contact_service_id: null, updated_at: toDate(at) })
    .where('contact_service_id', '=', serviceId)
    .execute()
}

/**
 * Stores a new password's hash and makes the account's known browsers unknown. Returns the new password epoch, or
 * `null` if the password has changed since it was read or the account is blocked.
 */
export async function setPasswordHash(
  trx: Trx,
  id: string,
  { from, to }: { from: string; to: string },
  now: Temporal.Instant,
): Promise<number | null> {
  const row = await trx
    .updateTable('users')
    .set((user) => ({ password_hash: to, updated_at: toDate(now), password_epoch: user('password_epoch', '+', 1) }))
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .where('blocked_at', 'is', null)
    .returning('password_epoch')
    .executeTakeFirst()
  return row?.password_epoch ?? null
}

export async function forgetKnownBrowsers(trx: Trx, id: string): Promise<number> {
  const { password_epoch } = await trx
    .updateTable('users')
    .set((user) => ({ password_epoch: user('password_epoch', '+', 1) }))
    .where('id', '=', id)
    .returning('password_epoch')
    .executeTakeFirstOrThrow()
  return password_epoch
}

export const toSignedInUser = ({
  id,
  email_verified_at: verifiedAt,
  password_epoch: passwordEpoch,
}: User): SignedInUser => ({
  id,
  emailVerified: verifiedAt !== null,
  passwordEpoch,
})

/**
 * Changes the account's email address to one that its owner has just verified.
 * @throws the database's unique violation, recognised by `isEmailTaken`, when another account has verified the address
 */
export async function changeEmail(trx: Trx, id: string, email: string, now: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('users')
    .set({ email, email_verified_at: toDate(now), updated_at: toDate(now) })
    .where('id', '=', id)
    .execute()
}
