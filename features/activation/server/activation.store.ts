import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Json } from '#kit/server/json.ts'
import type { PortingForm } from '#features/porting/porting.contract.ts'
import type { WizardState } from '../activation.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    activations: ActivationTable
  }
}

type ActivationTable = {
  id: string
  session_id: string
  user_id: string | null
  state: WizardState
  iccid: string
  msisdn: string
  setup_porting: boolean
  porting: Json<PortingForm> | null
  full_name: string | null
  email: string | null
  password_hash: string | null
  marketing_consent: boolean
  /**
   * The verified account with the same email address, if the visitor entered that account's password; otherwise `null`.
   */
  joins_user_id: string | null
  method: 'voucher' | 'payment' | null
  voucher_id: string | null
  product_id: string | null
  order_id: string | null
  started_at: Date
  lapses_at: Date
  ended_at: Date | null
}
export type ActivationRow = Selectable<ActivationTable>

const lapseAfterHours = 24

export const orderIdQuery = (db: Db, sessionId: string) =>
  openActivationQuery(db, sessionId).select('order_id as id').$narrowType<{ id: string }>()
export const productIdQuery = (db: Db, sessionId: string) =>
  openActivationQuery(db, sessionId).select('product_id as id').$narrowType<{ id: string }>()

const openActivationQuery = (db: Db, sessionId: string) =>
  db.selectFrom('activations').where('session_id', '=', sessionId).where('ended_at', 'is', null)

export function findActivation(
  db: Db | Trx,
  sessionId: string,
  now: Temporal.Instant,
): Promise<ActivationRow | undefined> {
  return db
    .selectFrom('activations')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('lapses_at', '>', toDate(now)), where('order_id', 'is not', null)]))
    .executeTakeFirst()
}

/**
 * Locks a session and its activation until the transaction ends, so that requests from two tabs are serialised. At the
 * start there is no activation yet, which is why the session is locked too.
 */
export async function lockActivation(trx: Trx, sessionId: string): Promise<ActivationRow | undefined> {
  await trx.selectFrom('sessions').select('id').where('id', '=', sessionId).forNoKeyUpdate().execute()
  return trx
    .selectFrom('activations')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

type NewActivation = Pick<
  ActivationRow,
  'session_id' | 'user_id' | 'state' | 'iccid' | 'msisdn' | 'setup_porting' | 'full_name' | 'email'
>

export async function insertActivation(
  trx: Trx,
  activation: NewActivation,
  now: Temporal.Instant,
): Promise<ActivationRow> {
  const row = {
    id: randomUUID(),
    ...activation,
    porting: null,
    password_hash: null,
    marketing_consent: false,
    joins_user_id: null,
    method: null,
    voucher_id: null,
    product_id: null,
    order_id: null,
    ended_at: null,
    started_at: toDate(now),
    lapses_at: toDate(now.add({ hours: lapseAfterHours })),
  }
  await trx.insertInto('activations').values(row).execute()
  return row
}

/** Updates an activation and restarts the time until it lapses. Callers must lock the activation first. */
export async function updateActivation(
  trx: Trx,
  activation: ActivationRow,
  patch: Partial<ActivationRow>,
  now: Temporal.Instant,
): Promise<ActivationRow> {
  const lapses_at = toDate(now.add({ hours: lapseAfterHours }))
  const { porting, ...otherFields } = patch
  await trx
    .updateTable('activations')
    .set({ ...otherFields, lapses_at, ...(porting !== undefined && { porting: porting && JSON.stringify(porting) }) })
    .where('id', '=', activation.id)
    .execute()
  return { ...activation, ...patch, lapses_at }
}

/**
 * Attaches an anonymous activation to a customer, unless an order has been placed for it or it has ended since it was read. Returns the
 * current row. No step was submitted, so the time until the activation lapses does not restart.
 */
export async function attachToCustomer(
  db: Db | Trx,
  activation: ActivationRow,
  customer: Pick<ActivationRow, 'user_id' | 'full_name' | 'email' | 'state'> & { product_id?: null },
): Promise<ActivationRow> {
  const attachedActivation = await db
    .updateTable('activations')
    .set({ ...customer, password_hash: null, joins_user_id: null, marketing_consent: false })
    .where('id', '=', activation.id)
    .where('user_id', 'is', null)
    .where('state', '=', activation.state)
    .where('order_id', activation.order_id === null ? 'is' : '=', activation.order_id)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return (
    attachedActivation ??
    (await db.selectFrom('activations').selectAll().where('id', '=', activation.id).executeTakeFirstOrThrow())
  )
}

export async function deleteActivationsWithoutOrder(trx: Trx, sessionId: string): Promise<void> {
  await trx.deleteFrom('activations').where('session_id', '=', sessionId).where('order_id', 'is', null).execute()
}

export async function endActivation(trx: Trx, id: string, now: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('activations')
    .set({ ended_at: toDate(now), password_hash: null })
    .where('id', '=', id)
    .execute()
}

export async function reassignActivations(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  await trx.updateTable('activations').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute()
}

export async function lapseActivations(db: Db, now: Temporal.Instant): Promise<void> {
  await db
    .updateTable('activations')
    .set({ ended_at: toDate(now), password_hash: null })
    .where('ended_at', 'is', null)
    .where('order_id', 'is', null)
    .where('lapses_at', '<=', toDate(now))
    .execute()
}

export const listLapsedWithOrder = (db: Db, now: Temporal.Instant): Promise<ActivationRow[]> =>
  db
    .selectFrom('activations')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('order_id', 'is not', null)
    .where('lapses_at', '<=', toDate(now))
    .limit(100)
    .execute()

/** Updates a lapsed activation, unless it has changed since it was read. */
export async function updateLapsed(
  db: Db,
  { id, lapses_at }: ActivationRow,
  patch: { ended_at: Date } | { lapses_at: Date; password_hash?: null },
): Promise<void> {
  await db
    .updateTable('activations')
    .set('ended_at' in patch ? { ...patch, password_hash: null } : patch)
    .where('id', '=', id)
    .where('lapses_at', '=', lapses_at)
    .execute()
}

export async function findNextLapse(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('activations')
    .select((select) => select.fn.min('lapses_at').as('due'))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row?.due ?? null
}

export async function deleteUserActivations(
  trx: Trx,
  { userId, emails, orderIds }: { userId: string; emails: string[]; orderIds: string[] },
): Promise<void> {
  await trx.deleteFrom('activations').where('user_id', '=', userId).execute()
  await trx.deleteFrom('activations').where('user_id', 'is', null).where('email', 'in', emails).execute()
  if (orderIds.length > 0) await trx.deleteFrom('activations').where('order_id', 'in', orderIds).execute()
}
