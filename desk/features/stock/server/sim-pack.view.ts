import type { Db } from '#kit/server/db.ts'

export const findSimPackState = (db: Db, iccid: string) =>
  db
    .selectFrom('sim_packs')
    .leftJoin('sim_loads', 'sim_loads.id', 'sim_packs.load_id')
    .select(['order_id', 'activated_at', 'load_id', 'sim_loads.state as load_state'])
    .where('iccid', '=', iccid)
    .executeTakeFirst()
