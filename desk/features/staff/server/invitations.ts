import { type Actor, nameOf } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import type { Clock } from '#kit/server/clock.ts'
import { Refusal } from '#kit/server/refusal.ts'
import { hashToken, newToken } from '#kit/server/secrets.ts'
import { alarmOfPasskey } from '#desk/features/alarms/server/alarms.ts'
import { type Role, staffMessages } from '../staff.contract.ts'
import { findInvitation, insertInvitation, useInvitation } from './invitations.store.ts'
import { insertPasskey, removePasskeys } from './passkeys.store.ts'
import { challengeForPasskey, checkNewPasskey } from './passkeys.ts'
import { endStaffSessions } from './sessions.store.ts'
import { begin } from './sign-in.ts'
import { refuseChange } from './refuse-change.ts'
import type { StaffDeps } from './staff.deps.ts'
import { changeStaff, findStaffByEmail, insertStaff, lockPerson, rolesOf, suspendStaff } from './staff.store.ts'
import type { DeskVisit } from './visit.ts'

type Person = { email: string; name: string; roles: Role[]; isLead: boolean }
type Ground = { db: Db; clock: Clock }

/**
 * Invites a person, or one who is here already anew, with other roles or after a lost passkey. The token is answered here and
 * nowhere else; the passkeys that they have end when it is used, not before, unless they were suspended.
 */
export async function invite(deps: Ground, person: Person, actor: Actor): Promise<string> {
  const token = newToken()
  await transact(deps.db, async (trx) => {
    const known = await findStaffByEmail(trx, person.email)
    await refuseChange(trx, known?.id ?? null, actor)
    if (known) await changeStaff(trx, known.id, person)
    // Who was suspended is back by this link alone: a stolen passkey would be back with them.
    if (known?.suspended_at) await removePasskeys(trx, known.id)
    const { id } = known ?? (await insertStaff(trx, person))
    await insertInvitation(trx, {
      staffId: id,
      tokenHash: hashToken(token),
      madeBy: nameOf(actor) ?? 'customer',
      countsAtOnce: actor.by === 'operator',
    })
    const details = { person: id, roles: person.roles.join(), is_lead: person.isLead }
    await audit(trx, deps.clock, { event: known ? 'staff_changed' : 'staff_invited', actor, details })
  })
  return token
}

/** Ends all that a person may do, at once. False when there is nobody of that address, or they are suspended already. */
export const suspend = ({ db, clock }: Ground, email: string, actor: Actor): Promise<boolean> =>
  transact(db, async (trx) => {
    const person = await findStaffByEmail(trx, email)
    if (person) await refuseChange(trx, person.id, actor)
    if (!person || !(await suspendStaff(trx, person.id))) return false
    await endStaffSessions(trx, { staffId: person.id })
    await audit(trx, clock, { event: 'staff_suspended', actor, details: { person: person.id } })
    return true
  })

export async function openInvitationOf(deps: StaffDeps, visit: DeskVisit, token: string) {
  const invitation = await goodInvitation(deps, token)
  const wanted = { session: visit.session.token, invitationId: invitation.id }
  return {
    name: invitation.name,
    email: invitation.email,
    roles: rolesOf(invitation.roles),
    options: await challengeForPasskey(deps, wanted, invitation),
  }
}

/** Makes the passkey and signs its person in. */
export async function acceptInvitationOf(
  deps: StaffDeps,
  visit: DeskVisit,
  { token, answer, passkey: name }: { token: string; answer: unknown; passkey: string },
) {
  const invitation = await goodInvitation(deps, token)
  const made = await checkNewPasskey(deps, { session: visit.session.token, invitationId: invitation.id }, answer)
  if (!made) throw new Refusal(400, { __all__: [staffMessages.passkey] })
  const person = { id: invitation.staff_id, name: invitation.name }
  return transact(deps.db, async (trx: Trx) => {
    await lockPerson(trx, person.id)
    if (!(await useInvitation(trx, invitation.id))) throw ended()
    // Who is invited anew has lost what they had.
    await removePasskeys(trx, person.id)
    await endStaffSessions(trx, { staffId: person.id })
    await insertPasskey(trx, { ...made, staffId: person.id, name, countsAtOnce: invitation.counts_at_once })
    await alarmOfPasskey(trx, deps, person)
    await audit(trx, deps.clock, { event: 'staff_passkey_made', actor: { by: 'staff', ...person, reason: null } })
    return begin(trx, deps, visit, { person, openedBy: 'passkey' })
  })
}

async function goodInvitation({ db }: StaffDeps, token: string) {
  const invitation = await findInvitation(db, hashToken(token))
  if (!invitation) throw ended()
  return invitation
}

const ended = (): Refusal => new Refusal(400, { __all__: [staffMessages.invitation] })
