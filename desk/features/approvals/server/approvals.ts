import type { Clock } from '#kit/server/clock.ts'
import { audit } from '#kit/server/audit.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { conflict, forbidden, notFound } from '#kit/server/http-error.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { requireOldEnoughPasskey } from '#desk/features/staff/server/passkey-age.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { lockPerson } from '#desk/features/staff/server/staff.store.ts'
import { approvalMessages, maxOpenRequests } from '../approvals.contract.ts'
import {
  type ApprovalKind,
  type ApprovalRow,
  type ApprovalRequest,
  countOpenRequests,
  storeDecision,
  findApproval,
  type GrantKind,
  insertApproval,
  expireApproval,
  expireStaffRequests,
  type NewApproval,
  findOpenApproval,
  type ApprovalPayloads,
} from './approvals.store.ts'
import { canDecideAnything, findApprovalObstacle, findIneligibilityReason } from './approvers.ts'

export type ApprovalsDeps = { db: Db; clock: Clock }

export type ApprovalResult = { outcome: 'received' | 'unknown' | 'refused' | null; why: string | null }

/**
 * Carries out an approved request. The handler must call `settle`, which stores the decision, in the same transaction
 * as the change itself. `settle` throws if someone else decided first, so the change is never made twice.
 */
export type ApprovalHandler<Kind extends ApprovalKind> = (
  approval: ApprovalRequest<Kind>,
  decider: SignedInStaff,
  settle: (trx: Trx) => Promise<void>,
) => Promise<ApprovalResult>

/** Carries out an approved request for more rights. `decider` is `null` if the request took effect after 24 hours without a decision. */
export type GrantHandler<Kind extends GrantKind> = (
  approval: ApprovalRequest<Kind>,
  decider: Pick<SignedInStaff, 'id' | 'name'> | null,
  settle: (trx: Trx) => Promise<void>,
) => Promise<ApprovalResult>

export type ApprovalHandlers = { [Kind in ApprovalKind]: ApprovalHandler<Kind> }

/**
 * Approves or declines someone else's request.
 * @throws 403 if this person may not decide about the request, or may not approve it (see `getApprovalObstacle`)
 * @throws 404 if there is no such request, 409 if it has already been decided or can no longer be carried out
 */
export async function decideApproval(
  deps: ApprovalsDeps,
  handlers: ApprovalHandlers,
  staff: SignedInStaff,
  input: { id: string; decision: 'approved' | 'refused'; words: string },
): Promise<ApprovalResult | null> {
  if (!canDecideAnything(staff)) throw forbidden(approvalMessages.notYours)
  const approval = await findApproval(deps.db, input.id)
  if (!approval) throw notFound()
  const why = findIneligibilityReason(approval, staff)
  if (why !== null) throw forbidden(why)
  const recordStaffDecision = (trx: Trx) => recordDecision(trx, deps, { approval, staff, ...input })
  if (input.decision === 'approved') {
    const obstacle = await findApprovalObstacle(deps.db, approval, staff)
    if (obstacle) throw forbidden(obstacle.why)
    // Each handler is stored under its own kind of request, so this cast is safe.
    const handler = handlers[approval.kind] as ApprovalHandler<ApprovalKind>
    return handler(approval, staff, recordStaffDecision)
  }
  await transact(deps.db, recordStaffDecision)
  return null
}

type ApprovalInput<Kind extends ApprovalKind> = Omit<NewApproval<Kind>, 'askedBy'> & {
  isStale: (open: ApprovalPayloads[Kind]) => boolean
}

/**
 * Creates a request for someone else to decide. If a request about the same subject is open but can no longer be
 * approved, it lapses first.
 * @throws 403 if the requester's passkey is too new
 * @throws 409 if the same request is already open, or the requester has too many open requests
 */
export async function requestApproval<Kind extends ApprovalKind>(
  trx: Trx,
  staff: SignedInStaff,
  { isStale, ...approval }: ApprovalInput<Kind>,
): Promise<ApprovalRow> {
  requireOldEnoughPasskey(staff)
  await lockPerson(trx, staff.id)
  const open = await findOpenApproval<Kind>(trx, approval.kind, approval.subject)
  if (open && isStale(open.payload)) await expireApproval(trx, open.id)
  if ((await countOpenRequests(trx, staff.id)) >= maxOpenRequests) throw conflict(approvalMessages.tooManyOpen)
  const createdApproval = await insertApproval(trx, { ...approval, askedBy: staff.id } as NewApproval<Kind>)
  if (!createdApproval) throw conflict(approvalMessages.asked)
  return createdApproval
}

/**
 * Withdraws one of a person's own requests.
 * @throws 409 if the request has already been decided, or belongs to someone else
 */
export const withdrawApproval = ({ db, clock }: ApprovalsDeps, staff: SignedInStaff, id: string): Promise<void> =>
  transact(db, async (trx) => {
    const [withdrawn] = await expireStaffRequests(trx, staff.id, id)
    if (withdrawn === undefined) throw conflict(approvalMessages.decided)
    await audit(trx, clock, { event: 'approval_withdrawn', actor: toStaffActor(staff), details: { approval: id } })
  })

type Decision = { approval: ApprovalRequest; staff: SignedInStaff; decision: 'approved' | 'refused'; words: string }

async function recordDecision(
  trx: Trx,
  { clock }: ApprovalsDeps,
  { approval, staff, decision, words }: Decision,
): Promise<void> {
  if (!(await storeDecision(trx, approval.id, { by: staff.id, decision, words })))
    throw conflict(approvalMessages.decided)
  await audit(trx, clock, {
    event: decision === 'approved' ? 'approval_given' : 'approval_refused',
    actor: toStaffActor(staff, approval.reason),
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
