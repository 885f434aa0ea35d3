import { type Actor, formatActor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { HttpError } from '#kit/server/http-error.ts'
import { hashToken, generateToken } from '#kit/server/secrets.ts'
import { expireStaffRequests } from '#desk/features/approvals/server/approvals.store.ts'
import { raisePasskeyAlert } from '#desk/features/access-alerts/server/access-alerts.ts'
import { formatRights, type Role, staffMessages } from '../staff.contract.ts'
import { findInvitation, insertInvitation, consumeInvitation } from './invitations.store.ts'
import { insertPasskey, removePasskeys } from './passkeys.store.ts'
import { createRegistrationChallenge, checkNewPasskey } from './passkeys.ts'
import { endStaffSessions } from './sessions.store.ts'
import { startSession } from './sign-in.ts'
import { requireRightToChangeStaff } from './require-right-to-change-staff.ts'
import type { StaffDeps } from './staff.deps.ts'
import { mailInvitation, mailRightsRemoval, type StaffMailDeps } from './staff.mail.ts'
import {
  updateStaff,
  findStaffByEmail,
  insertStaff,
  lockPerson,
  parseRoles,
  type StaffRow,
  suspendStaff,
} from './staff.store.ts'
import type { DeskRequestContext } from './desk-request-context.ts'

export type Person = { email: string; name: string; roles: Role[]; isLead: boolean }
export type ChangeAuthor = { actor: Actor; noted?: Record<string, string> }
type InvitationDeps = StaffMailDeps & { db: Db }

/**
 * Invites someone new, or re-invites someone with different roles or after they lost a passkey. The link is emailed
 * only to the person's own address. Their existing passkeys are removed when they use the link, or immediately if they
 * are suspended.
 */
export const invite = (deps: InvitationDeps, person: Person, actor: Actor): Promise<void> =>
  transact(deps.db, (trx) => inviteInTransaction(trx, deps, person, { actor }))

export async function inviteInTransaction(
  trx: Trx,
  deps: StaffMailDeps,
  person: Person,
  { actor, noted = {} }: ChangeAuthor,
): Promise<void> {
  const token = generateToken()
  const known = await findStaffByEmail(trx, person.email)
  await requireRightToChangeStaff(trx, known?.id ?? null, actor)
  if (known) await updateStaff(trx, known.id, person)
  // Someone who is suspended can return only through this link, because their old passkeys may have been stolen.
  if (known?.suspended_at) await revokeAccess(trx, known.id)
  const { id } = known ?? (await insertStaff(trx, person))
  const inviterName = formatActor(actor) ?? 'customer'
  await insertInvitation(trx, {
    staffId: id,
    tokenHash: hashToken(token),
    madeBy: inviterName,
    countsAtOnce: actor.by === 'operator',
  })
  await mailInvitation(trx, deps, { ...person, token })
  const details = { person: id, roles: person.roles.join(), is_lead: person.isLead, ...noted }
  await audit(trx, deps.clock, { event: known ? 'staff_changed' : 'staff_invited', actor, details })
  if (known && losesRights(known, person))
    await mailRightsRemoval(trx, deps, actor, {
      subject: `${known.name} now has fewer roles`,
      what: `invited ${known.name} again with fewer roles: ${formatRights(person)}`,
      person: known,
    })
}

const losesRights = (known: StaffRow, { roles, isLead }: Person): boolean =>
  known.suspended_at === null && (known.roles.some((role) => !roles.includes(role)) || (known.is_lead && !isLead))

/** Suspends a person immediately. Returns `false` if nobody has that address or the person is already suspended. */
export const suspendByEmail = (deps: InvitationDeps, email: string, actor: Actor): Promise<boolean> =>
  transact(deps.db, async (trx) => {
    const person = await findStaffByEmail(trx, email)
    if (person) await requireRightToChangeStaff(trx, person.id, actor)
    if (!person || !(await suspendStaff(trx, person.id))) return false
    await endStaffSessions(trx, { staffId: person.id })
    await expireStaffRequests(trx, person.id)
    await audit(trx, deps.clock, { event: 'staff_suspended', actor, details: { person: person.id } })
    await mailRightsRemoval(trx, deps, actor, {
      subject: `${person.name} was suspended`,
      what: `suspended ${person.name}`,
      person,
    })
    return true
  })

async function revokeAccess(trx: Trx, staffId: string): Promise<void> {
  await removePasskeys(trx, staffId)
  await endStaffSessions(trx, { staffId })
  await expireStaffRequests(trx, staffId)
}

export async function readInvitation(deps: StaffDeps, visit: DeskRequestContext, token: string) {
  const invitation = await requireValidInvitation(deps, token)
  const challengeContext = { session: visit.session.token, invitationId: invitation.id }
  return {
    name: invitation.name,
    email: invitation.email,
    roles: parseRoles(invitation.roles),
    options: await createRegistrationChallenge(deps, challengeContext, invitation),
  }
}

export async function acceptInvitationWithPasskey(
  deps: StaffDeps,
  visit: DeskRequestContext,
  { token, answer, passkey: name }: { token: string; answer: unknown; passkey: string },
) {
  const invitation = await requireValidInvitation(deps, token)
  const newPasskey = await checkNewPasskey(deps, { session: visit.session.token, invitationId: invitation.id }, answer)
  if (!newPasskey) throw new HttpError(400, { __all__: [staffMessages.passkey] })
  const person = { id: invitation.staff_id, name: invitation.name }
  return transact(deps.db, async (trx: Trx) => {
    await lockPerson(trx, person.id)
    if (!(await consumeInvitation(trx, invitation.id))) throw createInvitationEndedError()
    // A new invitation means that the old passkey is lost, so the person's old passkeys, sessions and open requests end.
    await revokeAccess(trx, person.id)
    await insertPasskey(trx, { ...newPasskey, staffId: person.id, name, countsAtOnce: invitation.counts_at_once })
    await raisePasskeyAlert(trx, deps, person)
    await audit(trx, deps.clock, { event: 'staff_passkey_made', actor: { by: 'staff', ...person, reason: null } })
    return startSession(trx, deps, visit, { person, openedBy: 'passkey' })
  })
}

async function requireValidInvitation({ db }: StaffDeps, token: string) {
  const invitation = await findInvitation(db, hashToken(token))
  if (!invitation) throw createInvitationEndedError()
  return invitation
}

const createInvitationEndedError = (): HttpError => new HttpError(400, { __all__: [staffMessages.invitation] })
