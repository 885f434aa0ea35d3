import { randomUUID } from 'node:crypto'
import type { ColumnType, Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { roles, type Role } from '../staff.contract.ts'
import { passkeyEligibleFrom } from './passkeys.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    staff: StaffTable
  }
}

type StaffTable = {
  id: string
  /** The email address, normalised like all stored email addresses. */
  email: string
  name: string
  /** Comma-separated roles. */
  roles: string
  is_lead: boolean
  made_at: ColumnType<Date, Date, never>
  suspended_at: Date | null
}

export type StaffRow = Omit<Selectable<StaffTable>, 'roles'> & { roles: Role[] }

export const parseRoles = (text: string): Role[] => roles.filter((role) => text.split(',').includes(role))

const toStaffRow = (row: Selectable<StaffTable> | undefined): StaffRow | null =>
  row ? { ...row, roles: parseRoles(row.roles) } : null

type NewStaff = { email: string; name: string; roles: Role[]; isLead: boolean }

export async function insertStaff(trx: Trx, { email, name, roles, isLead }: NewStaff): Promise<StaffRow> {
  const row = await trx
    .insertInto('staff')
    .values({
      id: randomUUID(),
      email,
      name,
      roles: roles.join(),
      is_lead: isLead,
      made_at: toDate(realNow()),
      suspended_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, roles: parseRoles(row.roles) }
}

export const updateStaff = (trx: Trx, id: string, { name, roles, isLead }: Omit<NewStaff, 'email'>): Promise<unknown> =>
  trx
    .updateTable('staff')
    .set({ name, roles: roles.join(), is_lead: isLead, suspended_at: null })
    .where('id', '=', id)
    .execute()

export const changeRoles = (
  trx: Trx,
  id: string,
  { roles, isLead }: Pick<NewStaff, 'roles' | 'isLead'>,
): Promise<unknown> =>
  trx.updateTable('staff').set({ roles: roles.join(), is_lead: isLead }).where('id', '=', id).execute()

/**
 * Locks all admins who are not suspended, in the order of their ids. If two admins change each other, the second one
 * waits and then sees the first one's change.
 */
export async function lockAdmins(trx: Trx): Promise<string[]> {
  const rows = await trx
    .selectFrom('staff')
    .select('id')
    .where('roles', 'like', '%admin%')
    .where('suspended_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks a staff member's row, so that this person's concurrent actions run one after the other. */
export async function lockPerson(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('staff').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

const recentSuspensionDays = 7

/**
 * Returns all team leads and admins except one person, including those suspended in the last 7 days.
 * `canAct` means that the person is not suspended and has a passkey, so that they can decline a request.
 */
export async function findLeadsAndAdmins(
  trx: Trx,
  exceptId: string | null,
): Promise<{ email: string; canAct: boolean }[]> {
  const since = toDate(realNow().subtract({ hours: 24 * recentSuspensionDays }))
  const rows = await trx
    .selectFrom('staff')
    .select(['id', 'email', 'suspended_at'])
    .select(passkeyEligibleFrom.as('counts_from'))
    .where(({ or, eb }) => or([eb('is_lead', '=', true), eb('roles', 'like', '%admin%')]))
    .where(({ or, eb }) => or([eb('suspended_at', 'is', null), eb('suspended_at', '>', since)]))
    .orderBy('email')
    .execute()
  return rows
    .filter(({ id }) => id !== exceptId)
    .map(({ email, suspended_at: suspended, counts_from: countsFrom }) => ({
      email,
      canAct: suspended === null && countsFrom !== null,
    }))
}

export async function findActiveLeads(db: Db): Promise<{ id: string; email: string }[]> {
  const rows = await db
    .selectFrom('staff')
    .select(['id', 'email'])
    .select(passkeyEligibleFrom.as('counts_from'))
    .where('is_lead', '=', true)
    .where('suspended_at', 'is', null)
    .orderBy('email')
    .execute()
  return rows.filter(({ counts_from: countsFrom }) => countsFrom !== null)
}

export const findStaff = async (db: Db | Trx, id: string): Promise<StaffRow | null> =>
  toStaffRow(await db.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirst())

export const findStaffByEmail = async (db: Db | Trx, email: string): Promise<StaffRow | null> =>
  toStaffRow(await db.selectFrom('staff').selectAll().where('email', '=', email).executeTakeFirst())

export async function listStaff(db: Db): Promise<StaffRow[]> {
  const rows = await db.selectFrom('staff').selectAll().orderBy('name').limit(500).execute()
  return rows.map((row) => ({ ...row, roles: parseRoles(row.roles) }))
}

export async function listActiveStaff(db: Db): Promise<(StaffRow & { passkeyCountsFrom: Date | null })[]> {
  const rows = await db
    .selectFrom('staff')
    .selectAll()
    .select(passkeyEligibleFrom.as('passkeyCountsFrom'))
    .where('suspended_at', 'is', null)
    .orderBy('name')
    .limit(500)
    .execute()
  return rows.map((row) => ({ ...row, roles: parseRoles(row.roles) }))
}

/** Suspends a staff member. Returns `false` if they were already suspended. */
export async function suspendStaff(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .updateTable('staff')
    .set({ suspended_at: toDate(realNow()) })
    .where('id', '=', id)
    .where('suspended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
