import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { randomCode } from '#kit/server/random-code.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { voucherCodeLength } from '../vouchers.contract.ts'
import { countCreatedCodes, findBatch, insertBatch, transitionBatch, type NewBatch } from './voucher-batches.store.ts'
import { addVouchers, findVoucher, voidVoucher } from './vouchers.store.ts'

type BatchDeps = { db: Db; clock: Clock; secrets: Secrets }

/**
 * The number of voucher codes per step. Each step is committed and handed out before the next, so that memory holds
 * only one step's codes.
 */
const codesPerStep = 1_000

export class BatchAbandonedError extends Error {}

/**
 * Creates a batch of vouchers, and yields their codes as they are created. The codes cannot be read again. No code is
 * valid before `confirmBatch`; if the consumer stops early, no code ever becomes valid.
 * @throws BatchAbandonedError when the consumer is too slow; at the start, a database error when a batch with this id
 * already exists
 */
export async function* createVouchers(
  deps: BatchDeps,
  newBatch: NewBatch,
): AsyncGenerator<{ batchId: string } | { codes: string[] }> {
  const batchId = await createBatch(deps, newBatch)
  let isComplete = false
  try {
    yield { batchId }
    for (let left = newBatch.count; left > 0;) {
      const codes = await createCodes(deps, { ...newBatch, batchId }, Math.min(left, codesPerStep))
      left -= codes.length
      yield { codes }
    }
    isComplete = true
  } finally {
    // This cleanup also runs if the consumer has disconnected.
    if (!isComplete) await transitionBatch(deps.db, { id: batchId }, 'broken_off')
  }
}

const createBatch = (deps: BatchDeps, newBatch: NewBatch): Promise<string> =>
  transact(deps.db, async (trx) => {
    const batch = await insertBatch(trx, deps.clock.now(), newBatch)
    const details = { batch, count: newBatch.count, plan: newBatch.productId }
    await audit(trx, deps.clock, { event: 'vouchers_begun', actor: newBatch.actor, details })
    return batch
  })

/** Creates voucher codes. Leaves out codes that already exist, so there may be fewer than `count`. */
function createCodes(deps: BatchDeps, batch: NewBatch & { batchId: string }, count: number): Promise<string[]> {
  const codes = Array.from({ length: count }, () => randomCode(voucherCodeLength))
  return transact(deps.db, async (trx) => {
    const addedCodes = await addVouchers(trx, deps.secrets, { ...batch, codes })
    if (!(await countCreatedCodes(trx, batch.batchId, addedCodes.length))) throw new BatchAbandonedError()
    return addedCodes
  })
}

/**
 * Records that the requester has received all codes, which makes them valid. Returns `false` if codes are missing or
 * the batch has been abandoned.
 */
export async function confirmBatch(deps: BatchDeps, batchId: string, count: number, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    const batch = await findBatch(trx, batchId)
    // This request may repeat an earlier one whose response was lost.
    if (batch?.state === 'complete' && batch.wanted === count) return true
    if (!batch || batch.made !== batch.wanted || batch.wanted !== count) return false
    if (!(await transitionBatch(trx, batch, 'arrived'))) return false
    const details = { batch: batch.id, count, plan: batch.product_id }
    await audit(trx, deps.clock, { event: 'vouchers_made', actor, details })
    return true
  })
}

export async function voidBatch(deps: BatchDeps, batchId: string, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    if (!(await transitionBatch(trx, { id: batchId }, 'voided'))) return false
    await audit(trx, deps.clock, { event: 'voucher_batch_voided', actor, details: { batch: batchId } })
    return true
  })
}

export async function voidCode(deps: BatchDeps, code: string, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    const voucher = await findVoucher(trx, deps.secrets, code)
    if (!voucher || voucher.is_void || !(await voidVoucher(trx, voucher.id, deps.clock.now()))) return false
    await audit(trx, deps.clock, { event: 'voucher_voided', actor, details: { voucher: voucher.id } })
    return true
  })
}
