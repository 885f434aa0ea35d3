import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { productTypes } from '#features/plans/plans.contract.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { voucherCodeLength } from '#features/vouchers/vouchers.contract.ts'
import {
  BatchGivenUp,
  confirmBatch,
  makeVouchers,
  voidBatch,
  voidCode,
} from '#features/vouchers/server/voucher-batches.ts'
import { countUse, findBatch, listBatches, type VoucherBatch } from '#features/vouchers/server/voucher-batches.store.ts'
import { findVoucher } from '#features/vouchers/server/vouchers.store.ts'
import type { Deps } from '../deps.ts'
import { type Lines, sendLines } from './lines.ts'
import { actorOf, isCode } from './request.ts'

/** A batch: its codes stand nowhere. */
export type BatchView = {
  batch: string
  state: VoucherBatch['state']
  plan: string
  expires: string
  wanted: number
  made: number
  by: string
  created: string
}
export type BatchUseView = BatchView & { redeemed: number; held: number; unused: number }
export type VoucherView = {
  state: 'unused' | 'held' | 'redeemed' | 'expired' | 'void'
  batch: string | null
  plan: string
  expires: string
  /** The order that has it. */
  order_code: string | null
}
/** A line of the answer to making a batch, in this order. */
export type MakingLine = { batch: string; hidden: boolean } | { codes: string[] } | { why: string }

const mostBatchesShown = 20
const mostYears = 10
const most = 1_000_000

const wishSchema = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)),
  plan: v.pipe(v.string(), v.maxLength(100)),
  expires: v.pipe(v.string(), v.maxLength(10), v.isoDate()),
})
const countSchema = v.object({ count: v.number() })

type Of = { Params: { of: string } }
const nothingLike = { why: 'There is no such batch or voucher.' }
const givenUp = 'The batch was given up: none of its codes is good. Please make another.'

export function voucherRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/vouchers/batches', async (request, reply) => {
    const wish = await wishOf(deps, request.body)
    if ('why' in wish) return reply.status(400).send(wish)
    const { hidden, ...batch } = wish
    const codes = makeVouchers(deps, { ...batch, actor: actorOf(request) })
    return sendLines(reply, deps, makingLines(codes, hidden), (error) =>
      error instanceof BatchGivenUp ? givenUp : null,
    )
  })
  app.post<{ Params: { batch: string } }>('/vouchers/batches/:batch/arrived', async (request, reply) => {
    const { batch } = request.params
    const counted = v.safeParse(countSchema, request.body)
    const isGood =
      isCode(batch) && counted.success && (await confirmBatch(deps, batch, counted.output.count, actorOf(request)))
    return isGood ? {} : reply.status(409).send({ why: givenUp })
  })
  app.get('/vouchers/batches', async () => (await listBatches(deps.db, mostBatchesShown)).map(presentBatch))
  app.get<Of>('/vouchers/of/:of', async ({ params }, reply) => {
    return (await viewOf(deps, subjectOf(params))) ?? reply.status(404).send(nothingLike)
  })
  app.post<Of>('/vouchers/of/:of/void', async (request, reply) => {
    const of = subjectOf(request.params)
    const before = await viewOf(deps, of)
    if (!before) return reply.status(404).send(nothingLike)
    const actor = actorOf(request)
    const isDone = await ('wanted' in before ? voidBatch(deps, of, actor) : voidCode(deps, of, actor))
    const now = (await viewOf(deps, of)) ?? before
    return isDone ? now : reply.status(409).send({ why: whyNotVoid(now) })
  })
}

async function* makingLines(codes: ReturnType<typeof makeVouchers>, hidden: boolean): Lines {
  for await (const news of codes)
    yield ('batchId' in news ? { batch: news.batchId, hidden } : news) satisfies MakingLine
}

type Wish = { count: number; productId: string; hidden: boolean; expiresAt: Temporal.Instant }

async function wishOf({ db, clock, market }: Deps, body: unknown): Promise<Wish | { why: string }> {
  const asked = v.safeParse(wishSchema, body)
  if (!asked.success) return { why: `A batch has 1 to ${most} vouchers, a plan, and a day such as 2027-12-31.` }
  const { count, plan, expires } = asked.output
  const product = await findProduct(db, plan)
  if (product?.product_type !== productTypes.plan) return { why: 'There is no such plan.' }
  // Good to the end of that day.
  const expiresAt = dayAfter(expires)?.toZonedDateTime(market.zone).toInstant()
  const now = clock.now()
  const latest = now.toZonedDateTimeISO(market.zone).add({ years: mostYears }).toInstant()
  if (!expiresAt) return { why: 'There is no such day.' }
  if (Temporal.Instant.compare(expiresAt, now) <= 0) return { why: 'That day is over.' }
  if (Temporal.Instant.compare(expiresAt, latest) > 0) return { why: `That is more than ${mostYears} years from now.` }
  return { count, productId: plan, hidden: product.hidden, expiresAt }
}

function dayAfter(day: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(day, { overflow: 'reject' }).add({ days: 1 })
  } catch {
    return null
  }
}

/** A batch or a code, in any case. */
function subjectOf({ of }: Of['Params']): string {
  const name = of.slice(0, 40).trim().toUpperCase()
  return isCode(name) ? name : ''
}

async function viewOf(deps: Deps, of: string): Promise<BatchUseView | VoucherView | null> {
  if (of.length === voucherCodeLength) return viewVoucher(deps, of)
  const batch = await findBatch(deps.db, of)
  return batch ? { ...presentBatch(batch), ...(await countUse(deps.db, of)) } : null
}

async function viewVoucher({ db, secrets, clock }: Deps, code: string): Promise<VoucherView | null> {
  const voucher = await findVoucher(db, secrets, code)
  if (!voucher) return null
  const { redeemed_at, order_id, is_void, expires_at } = voucher
  const isExpired = expires_at.getTime() <= clock.now().epochMilliseconds
  return {
    state: redeemed_at ? 'redeemed' : order_id ? 'held' : is_void ? 'void' : isExpired ? 'expired' : 'unused',
    batch: voucher.batch_id,
    plan: voucher.product_id,
    expires: expires_at.toISOString(),
    order_code: order_id ? ((await findOrder(db, order_id))?.order_code ?? null) : null,
  }
}

function whyNotVoid(now: BatchUseView | VoucherView): string {
  if (now.state === 'making') return 'This batch is being made: none of its codes is good yet.'
  if (now.state === 'broken_off') return 'This batch was given up: none of its codes was ever good.'
  if (now.state === 'redeemed') return `This voucher was used for order ${'order_code' in now ? now.order_code : ''}.`
  if (now.state === 'held') return `Order ${'order_code' in now ? now.order_code : ''} holds this voucher.`
  return 'It is void already.'
}

const presentBatch = (batch: VoucherBatch): BatchView => ({
  batch: batch.id,
  state: batch.state,
  plan: batch.product_id,
  expires: batch.expires_at.toISOString(),
  wanted: batch.wanted,
  made: batch.made,
  by: batch.actor,
  created: batch.created_at.toISOString(),
})
