import { sql } from 'kysely'
import type { Db, Trx } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart } from '#kit/server/combined-query.ts'
import type { AlertChannel, AlertSettings } from '../alerts.contract.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    usage_alerts: { service_id: string; threshold: number; channel: AlertChannel }
    plan_end_alerts: { service_id: string; channel: AlertSettings['before_end'] }
  }
}

export const findAlertChannels = async (db: Db | Trx, serviceId: string): Promise<Map<number, AlertChannel>> =>
  alertChannelsFromRows(await alertChannelsQuery(db, [serviceId]).execute())

export const alertChannelsQueryPart = (db: Db, service: Ids) => queryPart(alertChannelsQuery(db, service), {})

const alertChannelsQuery = (db: Db | Trx, service: Ids) =>
  db
    .selectFrom('usage_alerts')
    .select(['threshold', 'channel'])
    .where('service_id', ...inIds(service))

export const alertChannelsFromRows = (
  rows: { threshold: number; channel: AlertChannel }[],
): Map<number, AlertChannel> => new Map(rows.map(({ threshold, channel }) => [threshold, channel]))

export async function saveAlertChannels(trx: Trx, serviceId: string, chosen: Map<number, AlertChannel>): Promise<void> {
  await trx
    .insertInto('usage_alerts')
    .values([...chosen].map(([threshold, channel]) => ({ service_id: serviceId, threshold, channel })))
    .onConflict((conflict) =>
      conflict.columns(['service_id', 'threshold']).doUpdateSet((row) => ({ channel: row.ref('excluded.channel') })),
    )
    .execute()
}

/** A service without a row in `plan_end_alerts` uses both channels. */
export const planEndChannelQueryPart = (db: Db, service: Ids) =>
  queryPart(
    db
      .selectFrom('plan_end_alerts')
      .select('channel')
      .where('service_id', ...inIds(service)),
    {},
  )

export async function findPlanEndChannels(
  trx: Trx,
  serviceIds: readonly string[],
): Promise<(serviceId: string) => AlertSettings['before_end']> {
  const rows = await trx
    .selectFrom('plan_end_alerts')
    .select(['service_id', 'channel'])
    .where('service_id', '=', sql<string>`any(${serviceIds}::uuid[])`)
    .execute()
  const channelsByService = new Map(rows.map((row) => [row.service_id, row.channel]))
  return (serviceId) => channelsByService.get(serviceId) ?? 'both'
}

export async function savePlanEndChannel(
  trx: Trx,
  serviceId: string,
  channel: AlertSettings['before_end'],
): Promise<void> {
  await trx
    .insertInto('plan_end_alerts')
    .values({ service_id: serviceId, channel })
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet({ channel }))
    .execute()
}

export async function deleteAlertChannels(trx: Trx, serviceIds: string[]): Promise<void> {
  if (serviceIds.length === 0) return
  await trx.deleteFrom('usage_alerts').where('service_id', 'in', serviceIds).execute()
  await trx.deleteFrom('plan_end_alerts').where('service_id', 'in', serviceIds).execute()
}
