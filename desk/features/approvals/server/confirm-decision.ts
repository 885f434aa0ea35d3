import { requireActionConfirmation } from '#desk/features/staff/server/action-confirmation.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import type { StaffDeps } from '#desk/features/staff/server/staff.deps.ts'
import type { DeskRequestContext } from '#desk/features/staff/server/desk-request-context.ts'
import type { ConfirmationResponse } from '#desk/features/staff/confirmation.contract.ts'
import { approvalActionName } from '../approvals.contract.ts'
import { findApproval } from './approvals.store.ts'

type Decision = { id: string; decision: 'approved' | 'refused'; answer: ConfirmationResponse }

/**
 * Requires a passkey confirmation to approve a catalogue, because approving also publishes it.
 * @throws 403 or 400 without a valid confirmation
 */
export async function confirmDecision(
  deps: StaffDeps,
  { visit, staff }: { visit: DeskRequestContext; staff: SignedInStaff },
  { id, decision, answer }: Decision,
): Promise<void> {
  const approval = decision === 'approved' ? await findApproval(deps.db, id) : undefined
  if (approval?.kind === 'catalogue')
    await requireActionConfirmation(deps, { visit, staff, act: approvalActionName(id), answer })
}
