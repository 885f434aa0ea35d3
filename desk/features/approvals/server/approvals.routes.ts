import type { StaffDeps } from '#desk/features/staff/server/staff.deps.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  decideApproval as decideCall,
  listApprovals,
  markApprovalSeen,
  withdrawApproval as withdrawCall,
} from '../approvals.contract.ts'
import { type ApprovalsDeps, decideApproval, type ApprovalHandlers, withdrawApproval } from './approvals.ts'
import { confirmDecision } from './confirm-decision.ts'
import { presentApproval, readApprovals } from './approvals.view.ts'
import { markSeen } from './approvals.store.ts'

export const approvalRoutes = (deps: ApprovalsDeps & StaffDeps, handlers: ApprovalHandlers): DeskRoute[] => [
  deskRoute(listApprovals, { who: 'staff' }, async ({ staff }) => {
    const { toDecide, own } = await readApprovals(deps.db, staff)
    return { to_decide: toDecide.map(presentApproval), own: own.map(presentApproval) }
  }),
  deskRoute(
    decideCall,
    { who: ['support', 'finance', 'admin'], stepUp: true },
    async ({ visit, staff, params, body }) => {
      const { answer, ...decisionInput } = { ...body, id: params.id }
      await confirmDecision(deps, { visit, staff }, { ...decisionInput, answer })
      const result = await decideApproval(deps, handlers, staff, decisionInput)
      return { outcome: result?.outcome ?? null, why: result?.why ?? null }
    },
  ),
  deskRoute(withdrawCall, { who: 'staff' }, async ({ staff, params }) => {
    await withdrawApproval(deps, staff, params.id)
    return {}
  }),
  deskRoute(markApprovalSeen, { who: 'staff' }, async ({ staff, params }) => {
    await markSeen(deps.db, params.id, staff.id)
    return {}
  }),
]
