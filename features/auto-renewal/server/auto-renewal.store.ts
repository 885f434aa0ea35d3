import type { Selectable, Updateable } from 'kysely'
import type { Market } from '#kit/contract/bootstrap.ts'
import { type Clock, fromDate, toDate } from '#kit/server/clock.ts'
import type { Db, Tables, Trx } from '#kit/server/db.ts'
import { hourBefore } from '#kit/server/plan-period.ts'
import type { OrderState } from '#features/orders/orders.states.ts'
import type { AutoStep } from '#features/services/server/services.store.ts'

export type ChargeStep = Exclude<AutoStep, 'notice'>
export type DueStep = { step: AutoStep; dueAt: Temporal.Instant }

const noticeTime = { days: 3, hour: 9 }

type Schedules = Tables['schedules']

/** A schedule as auto-renewal reads it. `starts_on` is left out: drivers turn a calendar day into an instant. */
export type AutoSchedule = Omit<Selectable<Schedules>, 'starts_on'>

const nothingAhead = {
  auto_step: null,
  auto_due_at: null,
  notified_cents: null,
  notified_product_id: null,
} satisfies Updateable<Schedules>

/** The notice, at its time, or at once when that has passed. */
function firstStep(
  { clock, market }: { clock: Clock; market: Market },
  expiresAt: Temporal.Instant,
): Updateable<Schedules> {
  const [now, planned] = [clock.now(), hourBefore(expiresAt, noticeTime, market.zone)]
  return asColumns({ step: 'notice', dueAt: Temporal.Instant.compare(planned, now) < 0 ? now : planned })
}

const asColumns = (due: DueStep | null): Updateable<Schedules> => ({
  auto_step: due?.step ?? null,
  auto_due_at: due && toDate(due.dueAt),
})

/** A plan has begun or was renewed: what was under way for the one before it is void, and the next notice is planned if it is wanted. */
export async function scheduleAutoRenewal(
  trx: Trx,
  deps: { clock: Clock; market: Market },
  serviceId: string,
  expiresAt: Temporal.Instant,
): Promise<void> {
  const ofService = trx.updateTable('schedules').where('service_id', '=', serviceId)
  await ofService.set({ ...nothingAhead, auto_order_id: null }).execute()
  await ofService.set(firstStep(deps, expiresAt)).where('auto_recharge_enabled', '=', true).execute()
}

/**
 * Switches auto-renewal on or off; true when it was the other way before. A charge that is under way, or a plan that is
 * paid for, is not touched: it is the cycle after that is affected.
 */
export async function setAutoRenewal(
  trx: Trx,
  deps: { clock: Clock; market: Market },
  scheduleId: string,
  enabled: boolean,
): Promise<boolean> {
  const schedule = await lockSchedule(trx, scheduleId)
  if (!schedule || schedule.auto_recharge_enabled === enabled) return false
  const ahead = enabled ? firstStep(deps, fromDate(schedule.expires_at)) : {}
  await patch(trx, scheduleId, { auto_recharge_enabled: enabled, ...nothingAhead, ...ahead })
  return true
}

/** The schedule, held until the transaction ends: charges, switches and renewals take turns. Lock its service first where you need both. */
export const lockSchedule = (trx: Trx, id: string): Promise<AutoSchedule | undefined> =>
  trx
    .selectFrom('schedules')
    .select(['id', 'short_id', 'service_id', 'product_id', 'order_id', 'auto_recharge_enabled', 'expires_at'])
    .select(['auto_step', 'auto_due_at', 'auto_order_id', 'notified_cents', 'notified_product_id'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** What auto-renewal does next, and what it has to remember with it. The schedule must be locked. */
export const scheduleStep = (
  trx: Trx,
  id: string,
  due: DueStep | null,
  rest: Pick<Updateable<Schedules>, 'auto_order_id' | 'notified_cents' | 'notified_product_id'> = {},
): Promise<void> => patch(trx, id, { ...asColumns(due), ...rest })

/** The end of a charge has been taken in. */
export const clearCharge = (trx: Trx, id: string): Promise<void> => patch(trx, id, { auto_order_id: null })

async function patch(trx: Trx, id: string, columns: Updateable<Schedules>): Promise<void> {
  await trx.updateTable('schedules').set(columns).where('id', '=', id).execute()
}

/** Schedules with a step that is due, the earliest first. Nothing is held. */
export const findDueSchedules = (
  db: Db,
  now: Temporal.Instant,
  limit = 100,
): Promise<Pick<AutoSchedule, 'id' | 'service_id'>[]> =>
  db
    .selectFrom('schedules')
    .select(['id', 'service_id'])
    .where('auto_due_at', '<=', toDate(now))
    .orderBy('auto_due_at')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function nextAutoStep(db: Db): Promise<Temporal.Instant | null> {
  const row = await db
    .selectFrom('schedules')
    .select('auto_due_at')
    .where('auto_due_at', 'is not', null)
    .orderBy('auto_due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.auto_due_at ? fromDate(row.auto_due_at) : null
}

const over: OrderState[] = ['completed', 'refused', 'undone']

/** Schedules whose charge is over, whichever way it went. Nothing is held. */
export const findEndedCharges = (db: Db, limit = 100): Promise<Pick<AutoSchedule, 'id' | 'service_id'>[]> =>
  db
    .selectFrom('schedules')
    .innerJoin('orders', 'orders.id', 'schedules.auto_order_id')
    .select(['schedules.id', 'schedules.service_id'])
    .where('orders.state', 'in', over)
    .orderBy('orders.created_at')
    .orderBy('orders.id')
    .limit(limit)
    .execute()
