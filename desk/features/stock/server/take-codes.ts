import { Readable } from 'node:stream'
import type { Actor } from '#kit/server/actor.ts'
import { isUniqueViolation } from '#kit/server/db.ts'
import { conflict, forbidden, notFound } from '#kit/server/refusal.ts'
import { readBatchWish } from '#features/vouchers/server/batch-wish.ts'
import { confirmBatch, makeVouchers } from '#features/vouchers/server/voucher-batches.ts'
import { reasonLine, type VoucherReason } from '#desk/features/staff/reasons.contract.ts'
import type { DeskFile } from '#desk/features/staff/server/file-routes.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import { batchMessages } from '../batches.contract.ts'
import { readOneBatch, stateOfBatch, type ToldBatch } from './batches.view.ts'
import type { DeskStockDeps } from './stock.deps.ts'

/**
 * Makes an approved batch and returns its codes as a file, once. The batch's row has the id of the request. So of two concurrent calls, the
 * table rejects the second.
 * @throws 403 unless the caller requested the batch, 409 when the codes cannot be taken
 */
export async function codesFile(deps: DeskStockDeps, staff: SignedInStaff, id: string): Promise<DeskFile> {
  const asked = await askedBy(deps, staff, id)
  const state = stateOfBatch(asked)
  if (asked.made) throw conflict(batchMessages.taken)
  if (state !== 'approved') throw conflict(state === 'lapsed' ? batchMessages.lapsed : batchMessages.notApproved)
  const { count, product_id: plan, expires } = asked.asked.payload
  const wish = await readBatchWish(deps, deps.db, { count, plan, expires })
  if ('why' in wish) throw conflict(wish.why)
  const codes = makeVouchers(deps, {
    id,
    count,
    productId: plan,
    expiresAt: wish.expiresAt,
    actor: actorFor(staff, asked),
  })
  try {
    // The first step writes the batch's row.
    await codes.next()
  } catch (error) {
    throw isUniqueViolation(error) ? conflict(batchMessages.taken) : error
  }
  return { name: `vouchers-${id}.txt`, type: 'text/plain', content: Readable.from(textOf(codes)) }
}

async function* textOf(codes: ReturnType<typeof makeVouchers>): AsyncGenerator<string> {
  for await (const news of codes) if ('codes' in news) yield news.codes.map((code) => `${code}\n`).join('')
}

/**
 * Confirms that all codes have arrived.
 * @throws 403 unless the caller requested the batch, 409 when the batch was given up
 */
export async function confirmArrival(
  deps: DeskStockDeps,
  staff: SignedInStaff,
  { id, count }: { id: string; count: number },
): Promise<void> {
  const asked = await askedBy(deps, staff, id)
  if (!(await confirmBatch(deps, id, count, actorFor(staff, asked)))) throw conflict(batchMessages.givenUp)
}

type Asked = ToldBatch & { asked: NonNullable<ToldBatch['asked']> }

async function askedBy(deps: DeskStockDeps, staff: SignedInStaff, id: string): Promise<Asked> {
  const batch = await readOneBatch(deps.db, id)
  if (!batch) throw notFound()
  if (batch.asked?.asked_by !== staff.id) throw forbidden(batchMessages.notYours)
  return { ...batch, asked: batch.asked }
}

const actorFor = (staff: SignedInStaff, { asked: { reason, note } }: Asked): Actor =>
  actorOf(staff, reasonLine({ reason: reason as VoucherReason, note }))
