import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { randomCode } from '#kit/server/random-code.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { voucherCodeLength } from '../vouchers.contract.ts'
import { countMade, findBatch, insertBatch, moveBatch, type NewBatch } from './voucher-batches.store.ts'
import { addVouchers, findVoucher, voidVoucher } from './vouchers.store.ts'

type BatchDeps = { db: Db; clock: Clock; secrets: Secrets }

/** Made and committed together, and out before the next: no more are in memory. */
const codesAtOnce = 1_000

/** A batch that was given up while it was made. */
export class BatchGivenUp extends Error {}

/**
 * Makes a batch, and hands its codes out as they are made: they can be read here and never again. None is good before
 * `confirmBatch`; if whoever takes them stops, none ever is.
 * @throws BatchGivenUp when they are taken too slowly; as the database does, first of all, when there is a batch of its name
 */
export async function* makeVouchers(
  deps: BatchDeps,
  wish: NewBatch,
): AsyncGenerator<{ batchId: string } | { codes: string[] }> {
  const batchId = await beginBatch(deps, wish)
  let isMade = false
  try {
    yield { batchId }
    for (let left = wish.count; left > 0;) {
      const codes = await makeSome(deps, { ...wish, batchId }, Math.min(left, codesAtOnce))
      left -= codes.length
      yield { codes }
    }
    isMade = true
  } finally {
    // Also when whoever asked for them is gone.
    if (!isMade) await moveBatch(deps.db, { id: batchId }, 'broken_off')
  }
}

const beginBatch = (deps: BatchDeps, wish: NewBatch): Promise<string> =>
  transact(deps.db, async (trx) => {
    const batch = await insertBatch(trx, deps.clock.now(), wish)
    const details = { batch, count: wish.count, plan: wish.productId }
    await audit(trx, deps.clock, { event: 'vouchers_begun', actor: wish.actor, details })
    return batch
  })

/** Makes so many; one that there is already is left out. */
function makeSome(deps: BatchDeps, batch: NewBatch & { batchId: string }, count: number): Promise<string[]> {
  const codes = Array.from({ length: count }, () => randomCode(voucherCodeLength))
  return transact(deps.db, async (trx) => {
    const added = await addVouchers(trx, deps.secrets, { ...batch, codes })
    if (!(await countMade(trx, batch.batchId, added.length))) throw new BatchGivenUp()
    return added
  })
}

/** Whoever asked for a batch has all its codes: they are good from now on. False when they are not, or it was given up. */
export async function confirmBatch(deps: BatchDeps, batchId: string, count: number, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    const batch = await findBatch(trx, batchId)
    // Asked for once more, as the answer was lost.
    if (batch?.state === 'complete' && batch.wanted === count) return true
    if (!batch || batch.made !== batch.wanted || batch.wanted !== count) return false
    if (!(await moveBatch(trx, batch, 'arrived'))) return false
    const details = { batch: batch.id, count, plan: batch.product_id }
    await audit(trx, deps.clock, { event: 'vouchers_made', actor, details })
    return true
  })
}

/** Takes a batch back: nobody can use what is not used by now. False when it is not complete. */
export async function voidBatch(deps: BatchDeps, batchId: string, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    if (!(await moveBatch(trx, { id: batchId }, 'voided'))) return false
    await audit(trx, deps.clock, { event: 'voucher_batch_voided', actor, details: { batch: batchId } })
    return true
  })
}

/** Takes one voucher back; false when it is used, held by an order, or void already. */
export async function voidCode(deps: BatchDeps, code: string, actor: Actor): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    const voucher = await findVoucher(trx, deps.secrets, code)
    if (!voucher || voucher.is_void || !(await voidVoucher(trx, voucher.id, deps.clock.now()))) return false
    await audit(trx, deps.clock, { event: 'voucher_voided', actor, details: { voucher: voucher.id } })
    return true
  })
}
