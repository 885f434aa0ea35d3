import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import { among, type Ids, question } from '#kit/server/read-together.ts'
import type { AlertChannel, Alerts } from '../alerts.contract.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    usage_alerts: { service_id: string; threshold: number; channel: AlertChannel }
    plan_end_alerts: { service_id: string; channel: Alerts['before_end'] }
  }
}

export const findChosen = async (db: Db | Trx, serviceId: string): Promise<Map<number, AlertChannel>> =>
  chosenFrom(await chosenFor(db, [serviceId]).execute())

export const chosenAsked = (db: Db, service: Ids) => question(chosenFor(db, service), {})

const chosenFor = (db: Db | Trx, service: Ids) =>
  db
    .selectFrom('usage_alerts')
    .select(['threshold', 'channel'])
    .where('service_id', ...among(service))

export const chosenFrom = (rows: { threshold: number; channel: AlertChannel }[]): Map<number, AlertChannel> =>
  new Map(rows.map(({ threshold, channel }) => [threshold, channel]))

export async function saveChosen(trx: Trx, serviceId: string, chosen: Map<number, AlertChannel>): Promise<void> {
  await trx
    .insertInto('usage_alerts')
    .values([...chosen].map(([threshold, channel]) => ({ service_id: serviceId, threshold, channel })))
    .onConflict((conflict) =>
      conflict.columns(['service_id', 'threshold']).doUpdateSet((row) => ({ channel: row.ref('excluded.channel') })),
    )
    .execute()
}

/** Without a row the channel is `both`. */
export const planEndChannelAsked = (db: Db, service: Ids) =>
  question(
    db
      .selectFrom('plan_end_alerts')
      .select('channel')
      .where('service_id', ...among(service)),
    {},
  )

export async function findPlanEndChannels(
  trx: Trx,
  serviceIds: readonly string[],
): Promise<(serviceId: string) => Alerts['before_end']> {
  const rows = await trx
    .selectFrom('plan_end_alerts')
    .select(['service_id', 'channel'])
    .where('service_id', '=', sql<string>`any(${serviceIds}::uuid[])`)
    .execute()
  const chosen = new Map(rows.map((row) => [row.service_id, row.channel]))
  return (serviceId) => chosen.get(serviceId) ?? 'both'
}

export async function savePlanEndChannel(trx: Trx, serviceId: string, channel: Alerts['before_end']): Promise<void> {
  await trx
    .insertInto('plan_end_alerts')
    .values({ service_id: serviceId, channel })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet({ channel }))
    .execute()
}

export async function deleteChosen(trx: Trx, serviceIds: string[]): Promise<void> {
  if (serviceIds.length === 0) return
  await trx.deleteFrom('usage_alerts').where('service_id', 'in', serviceIds).execute()
  await trx.deleteFrom('plan_end_alerts').where('service_id', 'in', serviceIds).execute()
}
