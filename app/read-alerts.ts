import type { CustomerRead } from '#kit/server/customer-read.ts'
import type { Db } from '#kit/server/db.ts'
import { question, type Value } from '#kit/server/read-together.ts'
import type { KnownAlerts } from '#features/alerts/server/alerts.deps.ts'
import { chosenAsked, chosenFrom, planEndChannelAsked } from '#features/alerts/server/alerts.store.ts'
import { customerRead } from '#features/auth/server/visitor.store.ts'
import { renewingAsked } from '#features/auto-renewal/server/auto-renewal.store.ts'
import { idOfOwnService } from '#features/services/server/own-service.store.ts'

export const readAlerts: CustomerRead<{ uuid: string }, KnownAlerts | null> = customerRead(
  alertsOfService,
  ({ services, chosen, planEnds: [planEnd], renewing }) =>
    services.length === 0
      ? null
      : { chosen: chosenFrom(chosen), planEnd: planEnd?.channel ?? 'both', isRenewing: renewing.length > 0 },
)

function alertsOfService(db: Db, userId: Value, { uuid }: { uuid: string }) {
  const ids = idOfOwnService(db, userId, uuid)
  return {
    services: question(ids, {}),
    chosen: chosenAsked(db, ids),
    planEnds: planEndChannelAsked(db, ids),
    renewing: renewingAsked(db, ids),
  }
}
