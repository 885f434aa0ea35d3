import { audit } from '#kit/server/audit.ts'
import { type Db, transact } from '#kit/server/db.ts'
import { badRequest } from '#kit/server/http-error.ts'
import { parseBatchRequest } from '#features/vouchers/server/batch-request.ts'
import { generateBatchId } from '#features/vouchers/server/voucher-batches.store.ts'
import { requestApproval, type ApprovalHandler } from '#desk/features/approvals/server/approvals.ts'
import { formatStoredReason, type VoucherReason } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskStockDeps } from './stock.deps.ts'

type BatchRequest = { count: number; plan: string; expires: string; reason: VoucherReason; note: string }

/**
 * Requests a voucher batch, and returns the id that the batch will have.
 * @throws 400 if a batch like this is not possible
 */
export async function requestVoucherBatch(
  deps: DeskStockDeps,
  staff: SignedInStaff,
  request: BatchRequest,
): Promise<string> {
  const { count, plan, expires, reason, note } = request
  const parsed = await parseBatchRequest(deps, deps.db, { count, plan, expires })
  if ('why' in parsed) throw badRequest({ [parsed.field]: [parsed.why] })
  const id = generateBatchId()
  await transact(deps.db, async (trx) => {
    const payload = { count, product_id: parsed.product.unique_id, expires }
    const approvalInput = { kind: 'vouchers', subject: id, payload, reason, note } as const
    const approval = await requestApproval(trx, staff, { ...approvalInput, isStale: () => false })
    await audit(trx, deps.clock, {
      event: 'approval_asked',
      actor: toStaffActor(staff, formatStoredReason(request)),
      details: { approval: approval.id, kind: 'vouchers', subject: id, count },
    })
  })
  return id
}

/** Approves a voucher batch. No vouchers are created yet: whoever requested the batch downloads the codes later. */
export const approveVoucherRequest =
  (deps: { db: Db }): ApprovalHandler<'vouchers'> =>
  async (_approval, _decider, settle) => {
    await transact(deps.db, settle)
    return { outcome: null, why: null }
  }
