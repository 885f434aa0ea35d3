import * as v from 'valibot'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { productTypes } from '#features/plans/plans.contract.ts'
import { findProduct, type ProductRow } from '#features/plans/server/plans.store.ts'
import { mostVouchers } from '../vouchers.contract.ts'

const mostYears = 10

const wishSchema = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostVouchers)),
  plan: v.pipe(v.string(), v.maxLength(100)),
  expires: v.pipe(v.string(), v.maxLength(10), v.isoDate()),
})

export type BatchWish = { count: number; product: ProductRow; expiresAt: Temporal.Instant }

type Ground = { db: Db; clock: Clock; market: Pick<Market, 'zone'> }

export async function readBatchWish(
  { clock, market }: Ground,
  db: Db | Trx,
  body: unknown,
): Promise<BatchWish | { why: string; field: 'count' | 'plan' | 'expires' }> {
  const asked = v.safeParse(wishSchema, body)
  if (!asked.success)
    return { why: `Give a number from 1 to ${mostVouchers}, a plan, and a day such as 2027-12-31.`, field: 'count' }
  const { count, plan, expires } = asked.output
  const product = await findProduct(db, plan)
  if (product?.product_type !== productTypes.plan)
    return { why: 'There is no plan with this unique_id.', field: 'plan' }
  // Valid to the end of that day.
  const expiresAt = dayAfter(expires)?.toZonedDateTime(market.zone).toInstant()
  const now = clock.now()
  const latest = now.toZonedDateTimeISO(market.zone).add({ years: mostYears }).toInstant()
  const bad = (why: string) => ({ why, field: 'expires' as const })
  if (!expiresAt) return bad('That day doesn’t exist.')
  if (Temporal.Instant.compare(expiresAt, now) <= 0) return bad('That day has passed. Choose a later one.')
  if (Temporal.Instant.compare(expiresAt, latest) > 0) return bad(`That is more than ${mostYears} years from now.`)
  return { count, product, expiresAt }
}

function dayAfter(day: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(day, { overflow: 'reject' }).add({ days: 1 })
  } catch {
    return null
  }
}
