import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    reserved_numbers: { msisdn: string; holder: string }
  }
}

export async function reserveNumber(trx: Trx, msisdn: string, holder: string): Promise<boolean> {
  const row = await trx
    .insertInto('reserved_numbers')
    .values({ msisdn, holder })
    .onConflict((conflict) => conflict.doNothing())
    .returning('holder')
    .executeTakeFirst()
  return row !== undefined || !(await isReservedByAnother(trx, msisdn, holder))
}

export async function isReservedByAnother(db: Db | Trx, msisdn: string, holder: string | null): Promise<boolean> {
  const row = await db.selectFrom('reserved_numbers').select('holder').where('msisdn', '=', msisdn).executeTakeFirst()
  return row !== undefined && row.holder !== holder
}

export async function findReservationHolder(db: Db, msisdn: string): Promise<string | null> {
  const row = await db.selectFrom('reserved_numbers').select('holder').where('msisdn', '=', msisdn).executeTakeFirst()
  return row?.holder ?? null
}

export async function reassignReservation(trx: Trx, orderId: string, serviceId: string): Promise<void> {
  await trx.updateTable('reserved_numbers').set({ holder: serviceId }).where('holder', '=', orderId).execute()
}

export async function releaseNumber(trx: Trx, holder: string): Promise<void> {
  await trx.deleteFrom('reserved_numbers').where('holder', '=', holder).execute()
}

/** Blocks every change to the number reservations until the transaction ends, so that a free number stays free. */
export async function lockReservations(trx: Trx): Promise<void> {
  await sql`lock table reserved_numbers in share row exclusive mode`.execute(trx)
}
