import { createHash } from 'node:crypto'
import type { Db, Trx } from '#kit/server/db.ts'
import type { ServiceRow } from '#features/services/server/plan-life.store.ts'
import { findServices } from '#features/services/server/services.store.ts'
import type { Outlook, Rules } from './outlook.ts'
import { findPlansAhead, type PlanAhead } from './outlooks.ts'

/**
 * The send condition of messages about a service's plan at an instant: a hash of its number, its plan and what comes
 * next. `null` when the service no longer exists or has no plan.
 */
export async function premiseOf(
  db: Db | Trx,
  rules: Rules,
  serviceId: string,
  now: Temporal.Instant,
): Promise<string | null> {
  return (await premisesOfServices(db, rules, [serviceId], now)).get(serviceId) ?? null
}

export async function premisesOfServices(
  db: Db | Trx,
  rules: Rules,
  serviceIds: readonly string[],
  now: Temporal.Instant,
): Promise<Map<string, string>> {
  const services = await findServices(db, serviceIds)
  const kept = services.values().filter((service) => service.released_at === null)
  return premisesOf(db, rules, [...kept], now)
}

export async function premisesOf(
  db: Db | Trx,
  rules: Rules,
  services: readonly Pick<ServiceRow, 'id' | 'user_id' | 'msisdn'>[],
  now: Temporal.Instant,
): Promise<Map<string, string>> {
  const ahead = await findPlansAhead(db, rules, services, now)
  return new Map(
    services.flatMap(({ id, msisdn }) => {
      const plan = ahead.get(id)
      return plan ? [[id, premiseOfPlan(msisdn, plan)]] : []
    }),
  )
}

export function premiseOfPlan(msisdn: string, { orderId, outlook }: PlanAhead): string {
  const facts = { msisdn, order: orderId, ...toldOf(outlook) }
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}

function toldOf(outlook: Outlook): object {
  const { state, now, today, isRenewing, charge, card, failure } = outlook
  return {
    state,
    isRenewing,
    // These two states are described by dates, which stay correct. The others count days from today.
    day: state === 'renews' || state === 'card_trouble' ? null : today.toString(),
    ...(isRenewing && {
      chargeAt: charge.at.toString(),
      isDue: Temporal.Instant.compare(charge.at, now) <= 0,
      card: card?.stored_id ?? null,
    }),
    failure,
  }
}
