import { transact } from '#kit/server/db.ts'
import { conflict, HttpError } from '#kit/server/http-error.ts'
import { approvalMessages } from '../approvals.contract.ts'
import type { ApprovalsDeps, GrantHandler } from './approvals.ts'
import {
  approveUndeclinedGrant,
  type ApprovalRequest,
  type GrantKind,
  expireStaffRequests,
  listDueGrants,
} from './approvals.store.ts'

export type GrantHandlers = { [Kind in GrantKind]: GrantHandler<Kind> }

export async function applyDueGrants({ db }: Pick<ApprovalsDeps, 'db'>, runs: GrantHandlers): Promise<void> {
  for (const grant of await listDueGrants(db)) {
    try {
      await applyGrant(grant, runs)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      await transact(db, (trx) => expireStaffRequests(trx, grant.asked_by, grant.id))
    }
  }
}

async function applyGrant(grant: ApprovalRequest<GrantKind>, runs: GrantHandlers): Promise<void> {
  const handler = runs[grant.kind] as GrantHandler<GrantKind>
  await handler(grant, null, async (trx) => {
    if (!(await approveUndeclinedGrant(trx, grant.id))) throw conflict(approvalMessages.decided)
  })
}
