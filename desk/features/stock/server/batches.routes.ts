import { toWire } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { conflict, notFound } from '#kit/server/refusal.ts'
import { voidBatch as voidIt } from '#features/vouchers/server/voucher-batches.ts'
import { whyNotVoid } from '#features/vouchers/server/voucher-lookup.ts'
import { findBatch } from '#features/vouchers/server/voucher-batches.store.ts'
import { listDeciders } from '#desk/features/approvals/server/deciders.ts'
import { reasonName } from '#desk/features/staff/reasons.contract.ts'
import { deskFile } from '#desk/features/staff/server/file-routes.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { askForBatch, type BatchPage, confirmCodes, readBatch, takeCodes, voidBatch } from '../batches.contract.ts'
import { presentBatch, readOneBatch, takeUntil } from './batches.view.ts'
import type { DeskStockDeps } from './stock.deps.ts'
import { codesFile, confirmArrival } from './take-codes.ts'
import { askForVouchers } from './voucher-approvals.ts'

const admin = { who: ['admin'] } as const
const weighty = { who: ['admin'], stepUp: true } as const

export const batchRoutes = (deps: DeskStockDeps): DeskRoute[] => [
  deskRoute(askForBatch, admin, async ({ staff, body }) => ({ id: await askForVouchers(deps, staff, body) })),
  deskRoute(readBatch, { who: 'staff' }, ({ staff, params }) => showBatch(deps, staff, params.id)),
  deskFile(takeCodes, weighty, ({ staff, params }) => codesFile(deps, staff, params.id)),
  deskRoute(confirmCodes, admin, async ({ staff, params, body }) => {
    await confirmArrival(deps, staff, { ...params, ...body })
    return {}
  }),
  deskRoute(voidBatch, weighty, async ({ staff, params: { id }, body: { reason } }) => {
    if (await voidIt(deps, id, actorOf(staff, reason))) return {}
    const batch = await findBatch(deps.db, id)
    if (!batch) throw notFound()
    throw conflict(whyNotVoid(batch.state, null))
  }),
]

async function showBatch(deps: DeskStockDeps, staff: SignedInStaff, id: string): Promise<BatchPage> {
  const told = await readOneBatch(deps.db, id)
  if (!told) throw notFound()
  const batch = presentBatch(told, deps)
  const { asked, plan } = told
  const until = batch.state === 'asked' ? asked?.lapses_at.getTime() : takeUntil(told)?.epochMilliseconds
  const waits = batch.state === 'asked' || batch.state === 'approved'
  return {
    batch,
    worth: toWire(batch.count * plan.cents),
    reason: asked ? reasonName(asked.reason) : null,
    note: asked?.note ?? '',
    words: asked?.words ?? null,
    deciders: batch.state === 'asked' && asked ? await listDeciders(deps, asked) : [],
    is_own: asked?.asked_by === staff.id,
    left_seconds: waits && until ? Math.round((until - realNow().epochMilliseconds) / 1_000) : null,
  }
}
