import { Readable } from 'node:stream'
import type { Actor } from '#kit/server/actor.ts'
import { isUniqueViolation } from '#kit/server/db.ts'
import { conflict, forbidden, notFound } from '#kit/server/http-error.ts'
import { parseBatchRequest } from '#features/vouchers/server/batch-request.ts'
import { confirmBatch, createVouchers } from '#features/vouchers/server/voucher-batches.ts'
import { formatStoredReason, type VoucherReason } from '#desk/features/staff/reasons.contract.ts'
import type { DeskFile } from '#desk/features/staff/server/file-routes.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { batchMessages } from '../batches.contract.ts'
import { readBatchRecord, getBatchState, type BatchRecord } from './batches.view.ts'
import type { DeskStockDeps } from './stock.deps.ts'

/**
 * Creates an approved batch's vouchers and returns their codes as a file, once only. The batch's row has the same id as
 * the approval request, so if two downloads start at the same time, the second violates the unique key.
 * @throws 403 unless the caller requested the batch, 409 if the codes cannot be downloaded
 */
export async function createCodesFile(deps: DeskStockDeps, staff: SignedInStaff, id: string): Promise<DeskFile> {
  const batch = await requireOwnRequest(deps, staff, id)
  const state = getBatchState(batch)
  if (batch.made) throw conflict(batchMessages.taken)
  if (state !== 'approved') throw conflict(state === 'lapsed' ? batchMessages.lapsed : batchMessages.notApproved)
  const { count, product_id: plan, expires } = batch.asked.payload
  const details = await parseBatchRequest(deps, deps.db, { count, plan, expires })
  if ('why' in details) throw conflict(details.why)
  const codes = createVouchers(deps, {
    id,
    count,
    productId: plan,
    expiresAt: details.expiresAt,
    actor: actorWithReason(staff, batch),
  })
  try {
    // The generator's first step inserts the batch's row.
    await codes.next()
  } catch (error) {
    throw isUniqueViolation(error) ? conflict(batchMessages.taken) : error
  }
  return { name: `vouchers-${id}.txt`, type: 'text/plain', content: Readable.from(codeLines(codes)) }
}

async function* codeLines(codes: ReturnType<typeof createVouchers>): AsyncGenerator<string> {
  for await (const event of codes) if ('codes' in event) yield event.codes.map((code) => `${code}\n`).join('')
}

/**
 * Confirms that all voucher codes have arrived.
 * @throws 403 unless the caller requested the batch, 409 if codes are missing or were not confirmed in time
 */
export async function confirmCodesDownload(
  deps: DeskStockDeps,
  staff: SignedInStaff,
  { id, count }: { id: string; count: number },
): Promise<void> {
  const batch = await requireOwnRequest(deps, staff, id)
  if (!(await confirmBatch(deps, id, count, actorWithReason(staff, batch)))) throw conflict(batchMessages.givenUp)
}

type RequestedBatch = BatchRecord & { asked: NonNullable<BatchRecord['asked']> }

async function requireOwnRequest(deps: DeskStockDeps, staff: SignedInStaff, id: string): Promise<RequestedBatch> {
  const batch = await readBatchRecord(deps.db, id)
  if (!batch) throw notFound()
  if (batch.asked?.asked_by !== staff.id) throw forbidden(batchMessages.notYours)
  return { ...batch, asked: batch.asked }
}

const actorWithReason = (staff: SignedInStaff, { asked: { reason, note } }: RequestedBatch): Actor =>
  toStaffActor(staff, formatStoredReason({ reason: reason as VoucherReason, note }))
