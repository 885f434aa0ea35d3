import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { expireStaffRequests } from '#desk/features/approvals/server/approvals.store.ts'
import { formatRights, type Role } from '../staff.contract.ts'
import type { ChangeAuthor } from './invitations.ts'
import { requireRightToChangeStaff } from './require-right-to-change-staff.ts'
import { endStaffSessions } from './sessions.store.ts'
import { mailRightsRemoval, type StaffMailDeps } from './staff.mail.ts'
import { changeRoles, type StaffRow } from './staff.store.ts'

type Rights = { roles: Role[]; isLead: boolean }

export async function setRoles(
  trx: Trx,
  { clock }: StaffMailDeps,
  { id, roles, isLead }: Rights & { id: string },
  { actor, noted = {} }: ChangeAuthor,
): Promise<void> {
  await requireRightToChangeStaff(trx, id, actor)
  await changeRoles(trx, id, { roles, isLead })
  const details = { person: id, roles: roles.join(), is_lead: isLead, ...noted }
  await audit(trx, clock, { event: 'staff_changed', actor, details })
}

export async function removeRoles(
  trx: Trx,
  deps: StaffMailDeps,
  person: StaffRow,
  { left, actor }: { left: Rights; actor: Actor },
): Promise<void> {
  const hasFewerRights = left.roles.length < person.roles.length || left.isLead !== person.is_lead
  await setRoles(trx, deps, { id: person.id, ...left }, { actor })
  if (!hasFewerRights) return
  await expireStaffRequests(trx, person.id)
  await mailRightsRemoval(trx, deps, actor, {
    subject: `${person.name} now has fewer roles`,
    what: `removed roles of ${person.name}, who has these left: ${formatRights(left)}`,
    person,
  })
}

/** Signs a staff member out everywhere. Their passkeys stay valid. */
export const endAllStaffSessions = (
  deps: StaffMailDeps & { db: Db },
  { id, name, email }: Pick<StaffRow, 'id' | 'name' | 'email'>,
  actor: Actor,
): Promise<void> =>
  transact(deps.db, async (trx) => {
    await requireRightToChangeStaff(trx, id, actor)
    await endStaffSessions(trx, { staffId: id })
    await audit(trx, deps.clock, { event: 'staff_sessions_ended', actor, details: { person: id } })
    await mailRightsRemoval(trx, deps, actor, {
      subject: `${name} was signed out everywhere`,
      what: `signed ${name} out everywhere`,
      person: { id, email },
      canBeRequested: false,
    })
  })
