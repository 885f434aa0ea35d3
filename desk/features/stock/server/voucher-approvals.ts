import { audit } from '#kit/server/audit.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { invalid } from '#kit/server/refusal.ts'
import { readBatchWish } from '#features/vouchers/server/batch-wish.ts'
import { newBatchId } from '#features/vouchers/server/voucher-batches.store.ts'
import { askForApproval, type RunApproved } from '#desk/features/approvals/server/approvals.ts'
import { reasonLine, type VoucherReason } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskStockDeps } from './stock.deps.ts'

type Wish = { count: number; plan: string; expires: string; reason: VoucherReason; note: string }

/**
 * Requests a batch, and returns the id that the batch will have.
 * @throws 400 when such a batch is not possible
 */
export async function askForVouchers(deps: DeskStockDeps, staff: SignedInStaff, wish: Wish): Promise<string> {
  const { count, plan, expires, reason, note } = wish
  const read = await readBatchWish(deps, deps.db, { count, plan, expires })
  if ('why' in read) throw invalid({ [read.field]: [read.why] })
  const id = newBatchId()
  await transact(deps.db, async (trx) => {
    const payload = { count, product_id: read.product.unique_id, expires }
    const asked = { kind: 'vouchers', subject: id, payload, reason, note } as const
    const approval = await askForApproval(trx, staff, { ...asked, isStale: () => false })
    await audit(trx, deps.clock, {
      event: 'approval_asked',
      actor: actorOf(staff, reasonLine(wish)),
      details: { approval: approval.id, kind: 'vouchers', subject: id, count },
    })
  })
  return id
}

/** An approval makes no vouchers yet: the person who requested the batch takes its codes later. */
export const makeApproved =
  (deps: { db: Db }): RunApproved<'vouchers'> =>
  async (_approval, _decider, settle) => {
    await transact(deps.db, settle)
    return { outcome: null, why: null }
  }
