import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { voucherCodeLength } from '#features/vouchers/vouchers.contract.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { parseBatchRequest } from '#features/vouchers/server/batch-request.ts'
import {
  BatchAbandonedError,
  confirmBatch,
  createVouchers,
  voidBatch,
  voidCode,
} from '#features/vouchers/server/voucher-batches.ts'
import { listBatches, type VoucherBatch } from '#features/vouchers/server/voucher-batches.store.ts'
import { lookUpVoucher, getVoidRejectionReason } from '#features/vouchers/server/voucher-lookup.ts'
import { readBatchRecord } from '#desk/features/stock/server/batches.view.ts'
import type { Deps } from '../deps.ts'
import { type JsonLines, sendJsonLines } from './send-json-lines.ts'
import { getRequestActor, isAlphanumericId } from './request.ts'

export type BatchView = ReturnType<typeof presentBatch>
export type VoucherBatchUsage = NonNullable<Awaited<ReturnType<typeof viewBatch>>>
export type VoucherView = NonNullable<Awaited<ReturnType<typeof viewVoucher>>>
export type BatchCreationLine = { batch: string; hidden: boolean } | { codes: string[] } | { why: string }

const maxBatchesShown = 20
const voucherCountSchema = v.object({ count: v.number() })

type BatchOrVoucherParams = { Params: { of: string } }
const batchOrVoucherNotFound = { why: 'No batch or voucher found.' }
const batchAbandonedMessage =
  'The batch was not completed in time, so none of its codes is valid. Please make another batch.'

export function voucherRoutes(app: FastifyInstance, deps: Deps): void {
  app.post('/vouchers/batches', async (request, reply) => {
    const batchRequest = await parseBatchRequest(deps, deps.db, request.body)
    if ('why' in batchRequest) return reply.status(400).send({ why: batchRequest.why })
    const { product, ...batch } = batchRequest
    const codes = createVouchers(deps, { ...batch, productId: product.unique_id, actor: getRequestActor(request) })
    return sendJsonLines(reply, deps, creationLines(codes, product.hidden), (error) =>
      error instanceof BatchAbandonedError ? batchAbandonedMessage : null,
    )
  })
  app.post<{ Params: { batch: string } }>('/vouchers/batches/:batch/arrived', async (request, reply) => {
    const { batch } = request.params
    const parsed = v.safeParse(voucherCountSchema, request.body)
    const isConfirmed =
      isAlphanumericId(batch) &&
      parsed.success &&
      (await confirmBatch(deps, batch, parsed.output.count, getRequestActor(request)))
    return isConfirmed ? {} : reply.status(409).send({ why: batchAbandonedMessage })
  })
  app.get('/vouchers/batches', async () => (await listBatches(deps.db, maxBatchesShown)).map(presentBatch))
  app.get<BatchOrVoucherParams>('/vouchers/of/:of', async ({ params }, reply) => {
    return (
      (await viewBatchOrVoucher(deps, normalizeBatchOrVoucherId(params))) ??
      reply.status(404).send(batchOrVoucherNotFound)
    )
  })
  app.post<BatchOrVoucherParams>('/vouchers/of/:of/void', async (request, reply) => {
    const batchOrVoucherId = normalizeBatchOrVoucherId(request.params)
    const batchOrVoucherView = await viewBatchOrVoucher(deps, batchOrVoucherId)
    if (!batchOrVoucherView) return reply.status(404).send(batchOrVoucherNotFound)
    const actor = getRequestActor(request)
    const isVoided = await ('wanted' in batchOrVoucherView
      ? voidBatch(deps, batchOrVoucherId, actor)
      : voidCode(deps, batchOrVoucherId, actor))
    const now = (await viewBatchOrVoucher(deps, batchOrVoucherId)) ?? batchOrVoucherView
    return isVoided
      ? now
      : reply.status(409).send({ why: getVoidRejectionReason(now.state, 'order_code' in now ? now.order_code : null) })
  })
}

async function* creationLines(codes: ReturnType<typeof createVouchers>, hidden: boolean): JsonLines {
  for await (const event of codes)
    yield ('batchId' in event ? { batch: event.batchId, hidden } : event) satisfies BatchCreationLine
}

function normalizeBatchOrVoucherId({ of }: BatchOrVoucherParams['Params']): string {
  const name = of.slice(0, 40).trim().toUpperCase()
  return isAlphanumericId(name) ? name : ''
}

const viewBatchOrVoucher = (deps: Deps, of: string) =>
  of.length === voucherCodeLength ? viewVoucher(deps, of) : viewBatch(deps, of)

async function viewBatch({ db }: Deps, id: string) {
  const batch = await readBatchRecord(db, id)
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
