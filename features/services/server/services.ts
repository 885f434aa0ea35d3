import { randomInt, randomUUID } from 'node:crypto'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Product } from '#features/plans/plans.contract.ts'
import { planAhead } from './plan-life.ts'
import { insertSchedule, insertService } from './services.store.ts'

/** The purchase date is day 1, in the market's zone; the plan ends at midnight after its last day. */
export function planPeriod(bought: Temporal.Instant, lengthDays: number, zone: string): { startsOn: string; expiresAt: Temporal.Instant } {
  const day = bought.toZonedDateTimeISO(zone).toPlainDate()
  return { startsOn: day.toString(), expiresAt: day.add({ days: lengthDays }).toZonedDateTime(zone).toInstant() }
}

/** Makes the customer's service and the schedule of its plan. */
export async function startService(
  trx: Trx,
  deps: { clock: Clock; market: Market; numberKeptDays: number },
  service: { id: string; userId: string; orderId: string; iccid: string; msisdn: string; product: Product },
): Promise<void> {
  const { product, ...rest } = service
  const now = deps.clock.now()
  const period = planPeriod(now, product.length, deps.market.zone)
  await insertService(trx, rest, now)
  await insertSchedule(trx, {
    id: randomUUID(),
    shortId: newShortId(),
    serviceId: service.id,
    orderId: service.orderId,
    productId: product.unique_id,
    ...period,
  })
  await planAhead(trx, deps, service.id, period.expiresAt)
}

/** Stable across renewals and never a word of a route: always starts with a digit. */
function newShortId(): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz'
  return Array.from({ length: 8 }, (_, position) => letters[randomInt(position === 0 ? 10 : letters.length)]).join('')
}
