import { type ColumnType, sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    sim_packs: {
      iccid: string
      msisdn: string
      last_four: string
      order_id: string | null
      activated_at: Date | null
      /** The load that imported the SIM pack; `null` for packs that predate loads. */
      load_id: ColumnType<string | null, string | null | undefined>
      puk_sealed: ColumnType<string | null, string | null | undefined>
    }
  }
}

type SimPack = { iccid: string; msisdn: string }

/**
 * Finds a SIM pack that is for sale. Reserved packs count as used, and packs from an incomplete load are not for sale
 * yet.
 */
export const findUnusedSim = (db: Db | Trx, msisdn: string, lastFour: string): Promise<SimPack | undefined> =>
  db
    .selectFrom('sim_packs')
    .select(['iccid', 'msisdn'])
    .where('msisdn', '=', msisdn)
    .where('last_four', '=', lastFour)
    .where('order_id', 'is', null)
    .where((where) =>
      where.or([
        where('load_id', 'is', null),
        where.exists(
          where
            .selectFrom('sim_loads')
            .select('id')
            .whereRef('sim_loads.id', '=', 'sim_packs.load_id')
            .where('state', '=', 'loaded'),
        ),
      ]),
    )
    .executeTakeFirst()

export async function findSealedPuk(db: Db, iccid: string): Promise<string | null> {
  const row = await db.selectFrom('sim_packs').select('puk_sealed').where('iccid', '=', iccid).executeTakeFirst()
  return row?.puk_sealed ?? null
}

/**
 * Locks a SIM pack until the transaction ends. Callers must lock a pack before inserting an order that refers to it;
 * otherwise, two such orders would deadlock.
 */
export async function lockSim(trx: Trx, iccid: string): Promise<void> {
  await trx.selectFrom('sim_packs').select('iccid').where('iccid', '=', iccid).forUpdate().execute()
}

export async function reserveSim(trx: Trx, iccid: string, orderId: string): Promise<boolean> {
  const result = await trx
    .updateTable('sim_packs')
    .set({ order_id: orderId })
    .where('iccid', '=', iccid)
    .where('order_id', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function releaseSim(trx: Trx, orderId: string): Promise<void> {
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

/**
 * Adds SIM packs to the stock.
 * @throws when one of the packs already exists
 */
export async function addSims(
  trx: Trx,
  loadId: string,
  packs: (SimPack & { puk_sealed: string | null })[],
): Promise<void> {
  await sql`
    insert into sim_packs (iccid, msisdn, last_four, load_id, puk_sealed)
    select iccid, msisdn, right(iccid, 4), ${loadId}, puk from unnest(
      ${packs.map(({ iccid }) => iccid)}::text[],
      ${packs.map(({ msisdn }) => msisdn)}::text[],
      ${packs.map((pack) => pack.puk_sealed)}::text[]
    ) as pack (iccid, msisdn, puk)`.execute(trx)
}

export async function deleteUnsoldSims(trx: Trx, loadId: string, limit: number): Promise<number> {
  const packsToDelete = trx
    .selectFrom('sim_packs')
    .select('iccid')
    .where('load_id', '=', loadId)
    .where('order_id', 'is', null)
    .limit(limit)
  const { numDeletedRows } = await trx
    .deleteFrom('sim_packs')
    .where('iccid', 'in', packsToDelete)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function countUnusedSims(db: Db, loadId?: string): Promise<number> {
  const { unused } = await db
    .selectFrom('sim_packs')
    .select(({ fn }) => fn.countAll().as('unused'))
    .where('order_id', 'is', null)
    .$if(loadId !== undefined, (query) => query.where('load_id', '=', loadId ?? ''))
    .executeTakeFirstOrThrow()
  return Number(unused)
}

export async function hasUnusedSims(db: Db, level: number): Promise<boolean> {
  const { rows } = await sql<{ unused: string }>`
    select count(*) as unused from (
      select from sim_packs where order_id is null
        and (load_id is null or load_id in (select id from sim_loads where state = 'loaded'))
      limit ${level}
    ) as packs`.execute(db)
  return Number(rows[0]?.unused) >= level
}

export async function importSims(db: Db, packs: SimPack[]): Promise<void> {
  for (const pack of packs) {
    await db
      .insertInto('sim_packs')
      .values({ ...pack, last_four: pack.iccid.slice(-4), order_id: null, activated_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

export async function eraseSimNumbers(trx: Trx, iccids: string[]): Promise<void> {
  for (const iccid of iccids)
    await trx
      .updateTable('sim_packs')
      .set({ msisdn: `erased-${iccid}` })
      .where('iccid', '=', iccid)
      .where('activated_at', 'is not', null)
      .execute()
}
