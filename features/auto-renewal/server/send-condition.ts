import { createHash } from 'node:crypto'
import type { Db, Trx } from '#kit/server/db.ts'
import type { ServiceRow } from '#features/services/server/plan-life.store.ts'
import { findServices } from '#features/services/server/services.store.ts'
import type { PlanStatus, PlanStatusContext } from './plan-status.ts'
import { findPlanStatuses, type OrderPlanStatus } from './plan-statuses.ts'

/**
 * Returns the condition under which a message about a service's plan may still be sent: a hash of the phone number, the
 * plan and what happens next. A queued message is dropped if its hash no longer matches. Returns `null` if the service
 * no longer exists or has no plan.
 */
export async function findSendCondition(
  db: Db | Trx,
  rules: PlanStatusContext,
  serviceId: string,
  now: Temporal.Instant,
): Promise<string | null> {
  return (await findSendConditions(db, rules, [serviceId], now)).get(serviceId) ?? null
}

export async function findSendConditions(
  db: Db | Trx,
  rules: PlanStatusContext,
  serviceIds: readonly string[],
  now: Temporal.Instant,
): Promise<Map<string, string>> {
  const services = await findServices(db, serviceIds)
  const activeServices = services.values().filter((service) => service.released_at === null)
  return computeSendConditions(db, rules, [...activeServices], now)
}

export async function computeSendConditions(
  db: Db | Trx,
  rules: PlanStatusContext,
  services: readonly Pick<ServiceRow, 'id' | 'user_id' | 'msisdn'>[],
  now: Temporal.Instant,
): Promise<Map<string, string>> {
  const planStatuses = await findPlanStatuses(db, rules, services, now)
  return new Map(
    services.flatMap(({ id, msisdn }) => {
      const plan = planStatuses.get(id)
      return plan ? [[id, computeSendCondition(msisdn, plan)]] : []
    }),
  )
}

export function computeSendCondition(msisdn: string, { orderId, outlook }: OrderPlanStatus): string {
  const conditionFields = { msisdn, order: orderId, ...selectMessageFields(outlook) }
  return createHash('sha256').update(JSON.stringify(conditionFields)).digest('base64url')
}

function selectMessageFields(planStatus: PlanStatus): object {
  const { state, now, today, isRenewing, charge, card, failure } = planStatus
  return {
    state,
    isRenewing,
    /*
     * Messages about plans in the state `renews` or `card_trouble` give dates, which stay correct. Messages about other
     * plans say how many days are left, so they are out of date the next day.
     */
    day: state === 'renews' || state === 'card_trouble' ? null : today.toString(),
    ...(isRenewing && {
      chargeAt: charge.at.toString(),
      isDue: Temporal.Instant.compare(charge.at, now) <= 0,
      card: card?.stored_id ?? null,
    }),
    failure,
  }
}
