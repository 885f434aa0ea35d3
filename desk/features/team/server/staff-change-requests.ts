import type { Market } from '#kit/contract/bootstrap.ts'
import { emailMessage } from '#kit/contract/email.ts'
import { isAcceptedAsNewEmail } from '#kit/contract/new-email.ts'
import { audit } from '#kit/server/audit.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { badRequest, conflict } from '#kit/server/http-error.ts'
import { requestApproval, type GrantHandler } from '#desk/features/approvals/server/approvals.ts'
import type { ApprovalRow, ApprovalPayloads } from '#desk/features/approvals/server/approvals.store.ts'
import type { StaffReason } from '#desk/features/staff/reasons.contract.ts'
import { inviteInTransaction, type Person } from '#desk/features/staff/server/invitations.ts'
import { setRoles, removeRoles } from '#desk/features/staff/server/people.ts'
import { requireRightToChangeStaff } from '#desk/features/staff/server/require-right-to-change-staff.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { mailApprovalRequest, type StaffMailDeps } from '#desk/features/staff/server/staff.mail.ts'
import { findStaff, findStaffByEmail, lockAdmins, type StaffRow } from '#desk/features/staff/server/staff.store.ts'
import { formatRights, type Role } from '#desk/features/staff/staff.contract.ts'
import { teamMessages } from '../team.contract.ts'
import { isUnchangedSince, onlyRemovesRights, getStaffState } from './staff-changes.ts'

type StaffRequestDeps = StaffMailDeps & { db: Db; market: Pick<Market, 'zone' | 'code'> }

/**
 * Requests an invitation. It takes effect when another admin or a team lead approves it, or after 24 hours.
 * @throws 400 if the address of a new person is not accepted, 409 if a request is open
 */
export const requestInvitation = (deps: StaffRequestDeps, staff: SignedInStaff, person: Person): Promise<ApprovalRow> =>
  transact(deps.db, async (trx) => {
    const known = await findStaffByEmail(trx, person.email)
    await requireRightToChangeStaff(trx, known?.id ?? null, toStaffActor(staff))
    if (!known && !isAcceptedAsNewEmail(person.email)) throw badRequest({ email: [emailMessage] })
    return createStaffChangeRequest(trx, deps, staff, {
      act: 'invite',
      person,
      known,
      reason: known ? 'invited-again' : 'joins',
    })
  })

/**
 * Removes a person's roles immediately, or requests roles that the person does not have yet.
 * @returns the request; `null` if the roles were removed immediately
 */
export const requestRoleChange = (
  deps: StaffRequestDeps,
  staff: SignedInStaff,
  id: string,
  rights: { roles: Role[]; isLead: boolean },
): Promise<ApprovalRow | null> =>
  transact(deps.db, async (trx) => {
    await requireRightToChangeStaff(trx, id, toStaffActor(staff))
    const known = await findStaff(trx, id)
    if (!known) throw conflict(teamMessages.changed)
    if (onlyRemovesRights(known, rights)) {
      await removeRoles(trx, deps, known, { left: rights, actor: toStaffActor(staff) })
      return null
    }
    const person = { email: known.email, name: known.name, ...rights }
    return createStaffChangeRequest(trx, deps, staff, { act: 'roles', person, known, reason: 'other-roles' })
  })

type StaffChangeRequest = { act: 'invite' | 'roles'; person: Person; known: StaffRow | null; reason: StaffReason }

async function createStaffChangeRequest(
  trx: Trx,
  deps: StaffRequestDeps,
  staff: SignedInStaff,
  { act, person: { email, ...to }, known, reason }: StaffChangeRequest,
): Promise<ApprovalRow> {
  const payload: ApprovalPayloads['staff'] = { act, to, from: getStaffState(known), desk: deps.deskUrl ?? '' }
  const approval = await requestApproval(trx, staff, {
    kind: 'staff',
    subject: email,
    payload,
    reason,
    note: '',
    isStale: (open) => !isUnchangedSince(known, open.from),
  })
  await audit(trx, deps.clock, {
    event: 'approval_asked',
    actor: toStaffActor(staff, reason),
    details: {
      approval: approval.id,
      kind: 'staff',
      act,
      roles: to.roles.join(),
      is_lead: to.isLead,
      ...(known && { person: known.id }),
    },
  })
  const description =
    act === 'invite' ? `an invitation for ${to.name} (${email})` : `new roles for ${to.name} (${email})`
  await mailApprovalRequest(trx, deps, staff, {
    what: `${description}: ${formatRights(to)}`,
    effectiveAt: approval.lapses_at,
  })
  return approval
}

/** Carries out a requested staff change in the requester's name, once it is approved or nobody has declined it within 24 hours. */
export const applyApprovedStaffChange =
  (deps: StaffRequestDeps): GrantHandler<'staff'> =>
  async ({ asked_by: id, asker: name, subject: email, payload, reason }, decider, settle) => {
    const actor = { by: 'staff', id, name, reason } as const
    const noted = { approved_by: decider?.name ?? 'nobody, after 24 hours' }
    await transact(deps.db, async (trx) => {
      // Every change to staff locks the admins first, so no other change can happen during this one.
      if (!(await lockAdmins(trx)).includes(id)) throw conflict(teamMessages.askerChanged)
      const known = await findStaffByEmail(trx, email)
      if (!isUnchangedSince(known, payload.from)) throw conflict(teamMessages.changed)
      await settle(trx)
      const inviteDeps = { ...deps, deskUrl: payload.desk }
      if (payload.act === 'invite')
        await inviteInTransaction(trx, inviteDeps, { email, ...payload.to }, { actor, noted })
      else if (known) await setRoles(trx, deps, { id: known.id, ...payload.to }, { actor, noted })
    })
    return { outcome: null, why: null }
  }
