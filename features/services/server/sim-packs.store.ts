import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    sim_packs: { iccid: string; msisdn: string; last_four: string; order_id: string | null; activated_at: Date | null }
  }
}

type SimPack = { iccid: string; msisdn: string }

/** The unused SIM pack with this number and these last four digits. One that is reserved is not unused. */
export const findUnusedSim = (db: Db | Trx, msisdn: string, lastFour: string): Promise<SimPack | undefined> =>
  db
    .selectFrom('sim_packs')
    .select(['iccid', 'msisdn'])
    .where('msisdn', '=', msisdn)
    .where('last_four', '=', lastFour)
    .where('order_id', 'is', null)
    .executeTakeFirst()

/**
 * Locks a SIM pack until the transaction ends. It comes before the order that refers to it is written: two orders that
 * both refer to one pack would each wait for the other to let go of it.
 */
export async function lockSim(trx: Trx, iccid: string): Promise<void> {
  await trx.selectFrom('sim_packs').select('iccid').where('iccid', '=', iccid).forUpdate().execute()
}

/** Takes a SIM pack for an order; false when another order has it. */
export async function reserveSim(trx: Trx, iccid: string, orderId: string): Promise<boolean> {
  const result = await trx
    .updateTable('sim_packs')
    .set({ order_id: orderId })
    .where('iccid', '=', iccid)
    .where('order_id', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function freeSim(trx: Trx, orderId: string): Promise<void> {
  await trx
    .updateTable('sim_packs')
    .set({ order_id: null })
    .where('order_id', '=', orderId)
    .where('activated_at', 'is', null)
    .execute()
}

export async function markSimActivated(trx: Trx, iccid: string, at: Temporal.Instant): Promise<void> {
  await trx
    .updateTable('sim_packs')
    .set({ activated_at: toDate(at) })
    .where('iccid', '=', iccid)
    .execute()
}

/** Takes stock in; packs that are known already stay as they are. */
export async function importSims(db: Db, packs: SimPack[]): Promise<void> {
  for (const pack of packs) {
    await db
      .insertInto('sim_packs')
      .values({ ...pack, last_four: pack.iccid.slice(-4), order_id: null, activated_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** The numbers that used SIM packs came with are forgotten; the packs stay used. */
export async function forgetNumbersOfSims(trx: Trx, iccids: string[]): Promise<void> {
  for (const iccid of iccids)
    await trx
      .updateTable('sim_packs')
      .set({ msisdn: `erased-${iccid}` })
      .where('iccid', '=', iccid)
      .where('activated_at', 'is not', null)
      .execute()
}
