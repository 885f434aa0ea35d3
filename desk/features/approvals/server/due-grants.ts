import { transact } from '#kit/server/db.ts'
import { conflict, Refusal } from '#kit/server/refusal.ts'
import { approvalMessages } from '../approvals.contract.ts'
import type { ApprovalsDeps, RunGrant } from './approvals.ts'
import { approveByTime, type AskedApproval, type GrantKind, lapseRequestsOf, listDueGrants } from './approvals.store.ts'

export type GrantRuns = { [Kind in GrantKind]: RunGrant<Kind> }

export async function runDueGrants({ db }: Pick<ApprovalsDeps, 'db'>, runs: GrantRuns): Promise<void> {
  for (const grant of await listDueGrants(db)) {
    try {
      await run(grant, runs)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await transact(db, (trx) => lapseRequestsOf(trx, grant.asked_by, grant.id))
    }
  }
}

async function run(grant: AskedApproval<GrantKind>, runs: GrantRuns): Promise<void> {
  const settle = runs[grant.kind] as RunGrant<GrantKind>
  await settle(grant, null, async (trx) => {
    if (!(await approveByTime(trx, grant.id))) throw conflict(approvalMessages.decided)
  })
}
