import type { Trx } from '#kit/server/db.ts'
import {
  findServicesWithPlans,
  lockService,
  type ServiceSchedule,
  type ServiceRow,
} from '#features/services/server/plan-life.store.ts'
import { type AutoRenewal, findAutoRenewals } from './auto-renewal.store.ts'

export type LockedAutoRenewal = {
  service: ServiceRow
  schedule: ServiceSchedule
  autoRenewal: AutoRenewal
  now: Temporal.Instant
}

/**
 * Locks a service, so that charges, renewals and changes of the setting are serialised. Returns `null` if the service
 * has no plan or auto-renewal has never been on.
 */
export async function lockAutoRenewal(
  trx: Trx,
  serviceId: string,
  now: Temporal.Instant,
): Promise<LockedAutoRenewal | null> {
  const service = await lockService(trx, serviceId)
  const [locked] = service ? await readAutoRenewals(trx, [serviceId], now) : []
  return locked ?? null
}

export async function readAutoRenewals(
  trx: Trx,
  serviceIds: readonly string[],
  now: Temporal.Instant,
): Promise<LockedAutoRenewal[]> {
  const plans = await findServicesWithPlans(trx, serviceIds)
  const autoRenewals = await findAutoRenewals(trx, serviceIds)
  return serviceIds.flatMap((id) => {
    const [plan, autoRenewal] = [plans.get(id), autoRenewals.get(id)]
    return plan && autoRenewal ? [{ ...plan, autoRenewal, now }] : []
  })
}

/**
 * Returns a key that identifies the due step, so that each step sends only one email. The due time is part of the key,
 * because switching auto-renewal off and on again creates a new step.
 */
export const getStepKey = ({ schedule, autoRenewal }: LockedAutoRenewal): string =>
  `${schedule.scheduleId}:${autoRenewal.due_at?.toISOString() ?? ''}`
