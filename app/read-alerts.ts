import type { SelectQueryBuilder } from 'kysely'
import type { CustomerDataReader } from '#kit/server/customer-data-reader.ts'
import type { Db } from '#kit/server/db.ts'
import { queryPart, type Value } from '#kit/server/combined-query.ts'
import type { StoredAlerts } from '#features/alerts/server/alerts.deps.ts'
import {
  alertChannelsQueryPart,
  alertChannelsFromRows,
  planEndChannelQueryPart,
} from '#features/alerts/server/alerts.store.ts'
import { createCustomerRead } from '#features/auth/server/visitor.store.ts'
import { renewingServicesQueryPart } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { ownServiceIdQuery } from '#features/services/server/own-service.store.ts'

export const readAlerts: CustomerDataReader<{ uuid: string }, StoredAlerts | null> = createCustomerRead(
  selectServiceAlerts,
  ({ services, chosen, planEnds: [planEnd], renewing }) =>
    services.length === 0
      ? null
      : { chosen: alertChannelsFromRows(chosen), planEnd: planEnd?.channel ?? 'both', isRenewing: renewing.length > 0 },
  (db, userId, { uuid }) => ownServiceIdQuery(db, userId, uuid),
)

function selectServiceAlerts(
  db: Db,
  _userId: Value,
  _values: { uuid: string },
  ids: SelectQueryBuilder<never, never, { id: string }>,
) {
  return {
    services: queryPart(ids, {}),
    chosen: alertChannelsQueryPart(db, ids),
    planEnds: planEndChannelQueryPart(db, ids),
    renewing: renewingServicesQueryPart(db, ids),
  }
}
