import { sql } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    refused_payments: CountedAttempt & { reference: string; kind: PaymentKind; refused_at: Date | null }
  }
}

export type Payer = {
  ipHash: string
  sessionId: string | null
  userId: string | null
  /** Whether the payer is logged in from a browser that has logged in to this account before. */
  isKnown: boolean
}

/**
 * A card payment attempt that counts towards the limits: it was refused (`refused_at`), or its outcome is still
 * unknown. Attempts that were not refused are deleted.
 */
export type CountedAttempt = {
  asked_at: Date
  address_hash: string
  session_id: string | null
  iccid: string | null
  user_id: string | null
}

export type PaymentKind = 'activation' | 'recharge' | 'addon' | 'card_update'

export async function reassignRefusedPayments(trx: Trx, fromUserId: string, toUserId: string): Promise<void> {
  await trx.updateTable('refused_payments').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute()
}

/**
 * Lists the latest attempts that share an identifier with this payer. The row limit exceeds the sum of all refusal
 * limits.
 */
export const listCountedAttempts = (
  trx: Trx,
  { ipHash, sessionId, userId }: Payer,
  iccid: string | null,
  since: Temporal.Instant,
): Promise<CountedAttempt[]> =>
  trx
    .selectFrom('refused_payments')
    .select(['asked_at', 'address_hash', 'session_id', 'iccid', 'user_id'])
    .where('asked_at', '>', toDate(since))
    .where((where) =>
      where.or([
        where('address_hash', '=', ipHash),
        ...(sessionId ? [where('session_id', '=', sessionId)] : []),
        ...(userId ? [where('user_id', '=', userId)] : []),
        ...(iccid ? [where('iccid', '=', iccid)] : []),
      ]),
    )
    .orderBy('asked_at', 'desc')
    .limit(1_000)
    .execute()

export async function insertCountedAttempt(
  trx: Trx,
  { reference, kind, iccid, payer }: { reference: string; kind: PaymentKind; iccid: string | null; payer: Payer },
): Promise<void> {
  await trx
    .insertInto('refused_payments')
    .values({
      reference,
      kind,
      asked_at: toDate(realNow()),
      refused_at: null,
      address_hash: payer.ipHash,
      session_id: payer.sessionId,
      iccid,
      user_id: payer.userId,
    })
    .execute()
}

export async function markRefused(trx: Trx, reference: string): Promise<boolean> {
  const result = await trx
    .updateTable('refused_payments')
    .set({ refused_at: toDate(realNow()) })
    .where('reference', '=', reference)
    .where('refused_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function deleteCountedAttempt(trx: Trx, reference: string): Promise<void> {
  await trx.deleteFrom('refused_payments').where('reference', '=', reference).where('refused_at', 'is', null).execute()
}

export async function countRefusedPayments(
  db: Db | Trx,
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): Promise<number> {
  const row = await db
    .selectFrom('refused_payments')
    .select((select) => select.fn.countAll<string | number>().as('count'))
    .where('refused_at', '>', toDate(from))
    .where('refused_at', '<=', toDate(to))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export type HourlyRefusals = { hour: Date; refused: number; addresses: number; sims: number; accounts: number }

export async function listRefusedPaymentsByHour(db: Db, since: Temporal.Instant): Promise<HourlyRefusals[]> {
  const rows = await db
    .selectFrom('refused_payments')
    .select([
      sql<Date>`date_trunc('hour', refused_at, 'UTC')`.as('hour'),
      sql<string>`count(*)`.as('refused'),
      sql<string>`count(distinct address_hash)`.as('addresses'),
      sql<string>`count(distinct iccid)`.as('sims'),
      sql<string>`count(distinct user_id)`.as('accounts'),
    ])
    .where('refused_at', '>', toDate(since))
    .groupBy('hour')
    .orderBy('hour', 'desc')
    .execute()
  return rows.map(({ hour, ...counts }) => ({
    hour,
    refused: Number(counts.refused),
    addresses: Number(counts.addresses),
    sims: Number(counts.sims),
    accounts: Number(counts.accounts),
  }))
}

export type RefusalSource = { what: string; refused: number; latest: Date }

export async function listTopRefusalSources(
  db: Db,
  by: 'address_hash' | 'iccid' | 'user_id',
  since: Temporal.Instant,
): Promise<RefusalSource[]> {
  const rows = await db
    .selectFrom('refused_payments')
    .select([
      sql<string>`${sql.ref(by)}::text`.as('what'),
      sql<string>`count(*)`.as('refused'),
      sql<Date>`max(refused_at)`.as('latest'),
    ])
    .where('refused_at', '>', toDate(since))
    .where(by, 'is not', null)
    .groupBy('what')
    .orderBy('refused', 'desc')
    .orderBy('latest', 'desc')
    .limit(10)
    .execute()
  return rows.map(({ what, refused, latest }) => ({ what, refused: Number(refused), latest }))
}

export async function purgeRefusedPayments(db: Db): Promise<void> {
  await db
    .deleteFrom('refused_payments')
    .where('asked_at', '<', toDate(realNow().subtract({ hours: 30 * 24 })))
    .execute()
}

export async function deleteUserRefusedPayments(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('refused_payments').where('user_id', '=', userId).execute()
}
