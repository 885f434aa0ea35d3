import type { Clock } from '#kit/server/clock.ts'
import { audit } from '#kit/server/audit.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { conflict, forbidden, notFound } from '#kit/server/refusal.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { requireOldEnoughPasskey } from '#desk/features/staff/server/passkey-age.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import { lockPerson } from '#desk/features/staff/server/staff.store.ts'
import { approvalMessages, maxOpenRequests } from '../approvals.contract.ts'
import {
  type ApprovalKind,
  type ApprovalRow,
  type AskedApproval,
  countOpenRequests,
  decide,
  findApproval,
  type GrantKind,
  insertApproval,
  lapseApproval,
  lapseRequestsOf,
  type NewApproval,
  openApprovalOf,
  type Payloads,
} from './approvals.store.ts'
import { decidesAnything, findObstacle, whyNotDecide } from './deciders.ts'

export type ApprovalsDeps = { db: Db; clock: Clock }

export type Ran = { outcome: 'received' | 'unknown' | 'refused' | null; why: string | null }

/**
 * Carries out an approved request. `settle` stores the decision in the transaction of the act, so nothing happens without a decision.
 * `settle` throws when somebody else decided first, so nothing happens twice.
 */
export type RunApproved<Kind extends ApprovalKind> = (
  approval: AskedApproval<Kind>,
  decider: SignedInStaff,
  settle: (trx: Trx) => Promise<void>,
) => Promise<Ran>

/** Carries out an approved grant. `decider` is `null` when the grant took effect after 24 hours. */
export type RunGrant<Kind extends GrantKind> = (
  approval: AskedApproval<Kind>,
  decider: Pick<SignedInStaff, 'id' | 'name'> | null,
  settle: (trx: Trx) => Promise<void>,
) => Promise<Ran>

export type Runs = { [Kind in ApprovalKind]: RunApproved<Kind> }

/**
 * Approves or declines a request by another person.
 * @throws 403 when the person may not decide about it, or may not approve it (see `obstacleFor`)
 * @throws 404, 409 when it was already decided or can no longer be carried out
 */
export async function decideApproval(
  deps: ApprovalsDeps,
  runs: Runs,
  staff: SignedInStaff,
  said: { id: string; decision: 'approved' | 'refused'; words: string },
): Promise<Ran | null> {
  if (!decidesAnything(staff)) throw forbidden(approvalMessages.notYours)
  const approval = await findApproval(deps.db, said.id)
  if (!approval) throw notFound()
  const why = whyNotDecide(approval, staff)
  if (why !== null) throw forbidden(why)
  const settle = (trx: Trx) => settleApproval(trx, deps, { approval, staff, ...said })
  if (said.decision === 'approved') {
    const obstacle = await findObstacle(deps.db, approval, staff)
    if (obstacle) throw forbidden(obstacle.why)
    // The key is the request's kind, so the cast is safe.
    const run = runs[approval.kind] as RunApproved<ApprovalKind>
    return run(approval, staff, settle)
  }
  await transact(deps.db, settle)
  return null
}

type Wish<Kind extends ApprovalKind> = Omit<NewApproval<Kind>, 'askedBy'> & {
  isStale: (open: Payloads[Kind]) => boolean
}

/**
 * Creates a request for another person to decide. An open request about the same subject that can no longer be
 * approved lapses.
 * @throws 403 for a passkey that is too new, 409 when the same request is already open or the person has too many open
 * requests
 */
export async function askForApproval<Kind extends ApprovalKind>(
  trx: Trx,
  staff: SignedInStaff,
  { isStale, ...approval }: Wish<Kind>,
): Promise<ApprovalRow> {
  requireOldEnoughPasskey(staff)
  await lockPerson(trx, staff.id)
  const open = await openApprovalOf<Kind>(trx, approval.kind, approval.subject)
  if (open && isStale(open.payload)) await lapseApproval(trx, open.id)
  if ((await countOpenRequests(trx, staff.id)) >= maxOpenRequests) throw conflict(approvalMessages.tooManyOpen)
  const asked = await insertApproval(trx, { ...approval, askedBy: staff.id } as NewApproval<Kind>)
  if (!asked) throw conflict(approvalMessages.asked)
  return asked
}

/** Cancels a request for its requester. @throws 409 when it was already decided, or belongs to somebody else */
export const withdrawApproval = ({ db, clock }: ApprovalsDeps, staff: SignedInStaff, id: string): Promise<void> =>
  transact(db, async (trx) => {
    const [withdrawn] = await lapseRequestsOf(trx, staff.id, id)
    if (withdrawn === undefined) throw conflict(approvalMessages.decided)
    await audit(trx, clock, { event: 'approval_withdrawn', actor: actorOf(staff), details: { approval: id } })
  })

type Decision = { approval: AskedApproval; staff: SignedInStaff; decision: 'approved' | 'refused'; words: string }

async function settleApproval(
  trx: Trx,
  { clock }: ApprovalsDeps,
  { approval, staff, decision, words }: Decision,
): Promise<void> {
  if (!(await decide(trx, approval.id, { by: staff.id, decision, words }))) throw conflict(approvalMessages.decided)
  await audit(trx, clock, {
    event: decision === 'approved' ? 'approval_given' : 'approval_refused',
    actor: actorOf(staff, approval.reason),
    details: {
      approval: approval.id,
      kind: approval.kind,
      subject: approval.subject,
      ...('cents' in approval.payload && { cents: approval.payload.cents }),
      ...('count' in approval.payload && { count: approval.payload.count }),
      asked_by: approval.asker,
    },
  })
}
