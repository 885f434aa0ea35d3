import * as v from 'valibot'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { productTypes } from '#features/plans/plans.contract.ts'
import { findProduct, type ProductRow } from '#features/plans/server/plans.store.ts'
import { maxVouchers } from '../vouchers.contract.ts'

const maxValidityYears = 10

const batchRequestSchema = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxVouchers)),
  plan: v.pipe(v.string(), v.maxLength(100)),
  expires: v.pipe(v.string(), v.maxLength(10), v.isoDate()),
})

export type BatchRequest = { count: number; product: ProductRow; expiresAt: Temporal.Instant }

type BatchRequestDeps = { db: Db; clock: Clock; market: Pick<Market, 'zone'> }

export async function parseBatchRequest(
  { clock, market }: BatchRequestDeps,
  db: Db | Trx,
  body: unknown,
): Promise<BatchRequest | { why: string; field: 'count' | 'plan' | 'expires' }> {
  const parsedBody = v.safeParse(batchRequestSchema, body)
  if (!parsedBody.success)
    return { why: `Give a number from 1 to ${maxVouchers}, a plan, and a day such as 2027-12-31.`, field: 'count' }
  const { count, plan, expires } = parsedBody.output
  const product = await findProduct(db, plan)
  if (product?.product_type !== productTypes.plan)
    return { why: 'There is no plan with this unique_id.', field: 'plan' }
  // Vouchers are valid until the end of the chosen day.
  const expiresAt = parseDayAfter(expires)?.toZonedDateTime(market.zone).toInstant()
  const now = clock.now()
  const latestExpiry = now.toZonedDateTimeISO(market.zone).add({ years: maxValidityYears }).toInstant()
  const createExpiryError = (why: string) => ({ why, field: 'expires' as const })
  if (!expiresAt) return createExpiryError('That day doesn’t exist.')
  if (Temporal.Instant.compare(expiresAt, now) <= 0)
    return createExpiryError('That day has passed. Choose a later one.')
  if (Temporal.Instant.compare(expiresAt, latestExpiry) > 0)
    return createExpiryError(`That is more than ${maxValidityYears} years from now.`)
  return { count, product, expiresAt }
}

function parseDayAfter(day: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(day, { overflow: 'reject' }).add({ days: 1 })
  } catch {
    return null
  }
}
