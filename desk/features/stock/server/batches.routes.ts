import { centsToDecimal } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { conflict, notFound } from '#kit/server/http-error.ts'
import { voidBatch as voidIt } from '#features/vouchers/server/voucher-batches.ts'
import { getVoidRejectionReason } from '#features/vouchers/server/voucher-lookup.ts'
import { findBatch } from '#features/vouchers/server/voucher-batches.store.ts'
import { listApprovers } from '#desk/features/approvals/server/approvers.ts'
import { getReasonName } from '#desk/features/staff/reasons.contract.ts'
import { deskFileRoute } from '#desk/features/staff/server/file-routes.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  requestBatch,
  type BatchPage,
  confirmCodesReceived,
  readBatch,
  downloadCodes,
  voidBatch,
} from '../batches.contract.ts'
import { presentBatch, readBatchRecord, getDownloadDeadline } from './batches.view.ts'
import type { DeskStockDeps } from './stock.deps.ts'
import { createCodesFile, confirmCodesDownload } from './codes-file.ts'
import { requestVoucherBatch } from './voucher-approvals.ts'

const adminOnly = { who: ['admin'] } as const
const adminWithStepUp = { who: ['admin'], stepUp: true } as const

export const batchRoutes = (deps: DeskStockDeps): DeskRoute[] => [
  deskRoute(requestBatch, adminOnly, async ({ staff, body }) => ({ id: await requestVoucherBatch(deps, staff, body) })),
  deskRoute(readBatch, { who: 'staff' }, ({ staff, params }) => showBatch(deps, staff, params.id)),
  deskFileRoute(downloadCodes, adminWithStepUp, ({ staff, params }) => createCodesFile(deps, staff, params.id)),
  deskRoute(confirmCodesReceived, adminOnly, async ({ staff, params, body }) => {
    await confirmCodesDownload(deps, staff, { ...params, ...body })
    return {}
  }),
  deskRoute(voidBatch, adminWithStepUp, async ({ staff, params: { id }, body: { reason } }) => {
    if (await voidIt(deps, id, toStaffActor(staff, reason))) return {}
    const batch = await findBatch(deps.db, id)
    if (!batch) throw notFound()
    throw conflict(getVoidRejectionReason(batch.state, null))
  }),
]

async function showBatch(deps: DeskStockDeps, staff: SignedInStaff, id: string): Promise<BatchPage> {
  const record = await readBatchRecord(deps.db, id)
  if (!record) throw notFound()
  const batch = presentBatch(record, deps)
  const { asked, plan } = record
  const deadline = batch.state === 'asked' ? asked?.lapses_at.getTime() : getDownloadDeadline(record)?.epochMilliseconds
  const isPending = batch.state === 'asked' || batch.state === 'approved'
  return {
    batch,
    worth: centsToDecimal(batch.count * plan.cents),
    reason: asked ? getReasonName(asked.reason) : null,
    note: asked?.note ?? '',
    words: asked?.words ?? null,
    deciders: batch.state === 'asked' && asked ? await listApprovers(deps, asked) : [],
    is_own: asked?.asked_by === staff.id,
    left_seconds: isPending && deadline ? Math.round((deadline - realNow().epochMilliseconds) / 1_000) : null,
  }
}
