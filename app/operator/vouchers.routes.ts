import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { voucherCodeLength } from '#features/vouchers/vouchers.contract.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { readBatchWish } from '#features/vouchers/server/batch-wish.ts'
import {
  BatchGivenUp,
  confirmBatch,
  makeVouchers,
  voidBatch,
  voidCode,
} from '#features/vouchers/server/voucher-batches.ts'
import { listBatches, type VoucherBatch } from '#features/vouchers/server/voucher-batches.store.ts'
import { lookUpVoucher, whyNotVoid } from '#features/vouchers/server/voucher-lookup.ts'
import { readOneBatch } from '#desk/features/stock/server/batches.view.ts'
import type { Deps } from '../deps.ts'
import { type Lines, sendLines } from './lines.ts'
import { actorOf, isCode } from './request.ts'

export type BatchView = ReturnType<typeof presentBatch>
export type BatchUseView = NonNullable<Awaited<ReturnType<typeof viewBatch>>>
export type VoucherView = NonNullable<Awaited<ReturnType<typeof viewVoucher>>>
export type MakingLine = { batch: string; hidden: boolean } | { codes: string[] } | { why: string }

const mostBatchesShown = 20
const countSchema = v.object({ count: v.number() })

type Of = { Params: { of: string } }
const nothingLike = { why: 'No batch or voucher found.' }
const givenUp = 'The batch was not completed in time, so none of its codes is valid. Please make another.'

export function voucherRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/vouchers/batches', async (request, reply) => {
    const wish = await readBatchWish(deps, deps.db, request.body)
    if ('why' in wish) return reply.status(400).send({ why: wish.why })
    const { product, ...batch } = wish
    const codes = makeVouchers(deps, { ...batch, productId: product.unique_id, actor: actorOf(request) })
    return sendLines(reply, deps, makingLines(codes, product.hidden), (error) =>
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
    return isDone
      ? now
      : reply.status(409).send({ why: whyNotVoid(now.state, 'order_code' in now ? now.order_code : null) })
  })
}

async function* makingLines(codes: ReturnType<typeof makeVouchers>, hidden: boolean): Lines {
  for await (const news of codes)
    yield ('batchId' in news ? { batch: news.batchId, hidden } : news) satisfies MakingLine
}

function subjectOf({ of }: Of['Params']): string {
  const name = of.slice(0, 40).trim().toUpperCase()
  return isCode(name) ? name : ''
}

const viewOf = (deps: Deps, of: string) =>
  of.length === voucherCodeLength ? viewVoucher(deps, of) : viewBatch(deps, of)

async function viewBatch({ db }: Deps, id: string) {
  const batch = await readOneBatch(db, id)
  return batch?.made ? { ...presentBatch(batch.made), ...batch.use } : null
}

async function viewVoucher(deps: Deps, code: string) {
  const voucher = await lookUpVoucher(deps, code)
  if (!voucher) return null
  const { state, batchId, productId, expiresAt, orderId } = voucher
  return {
    state,
    batch: batchId,
    plan: productId,
    expires: expiresAt.toISOString(),
    order_code: orderId ? ((await findOrder(deps.db, orderId))?.order_code ?? null) : null,
  }
}

const presentBatch = (batch: VoucherBatch) => ({
  batch: batch.id,
  state: batch.state,
  plan: batch.product_id,
  expires: batch.expires_at.toISOString(),
  wanted: batch.wanted,
  made: batch.made,
  by: batch.actor,
  created: batch.created_at.toISOString(),
})
