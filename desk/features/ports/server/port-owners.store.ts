import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    port_owners: { port_id: string; staff_id: string; taken_at: Date }
  }
}

export type PortOwner = { id: string; name: string }

/**
 * Assigns a number transfer to a staff member unless it already has an owner, and returns the owner. If two callers try
 * at the same time, the first becomes the owner.
 */
export async function assignPort(trx: Trx, portId: string, staffId: string): Promise<PortOwner> {
  await trx
    .insertInto('port_owners')
    .values({ port_id: portId, staff_id: staffId, taken_at: toDate(realNow()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const owner = await findPortOwner(trx, portId)
  if (!owner) throw new Error('a transfer was handed back while it was taken')
  return owner
}

export const deletePortOwner = async (trx: Trx, portId: string): Promise<void> =>
  void (await trx.deleteFrom('port_owners').where('port_id', '=', portId).execute())

export async function findPortOwner(db: Db | Trx, portId: string): Promise<PortOwner | null> {
  const owner = await db
    .selectFrom('port_owners')
    .innerJoin('staff', 'staff.id', 'port_owners.staff_id')
    .select(['staff.id', 'staff.name'])
    .where('port_id', '=', portId)
    .executeTakeFirst()
  return owner ?? null
}
