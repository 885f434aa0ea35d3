import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { listActiveStaff } from '#desk/features/staff/server/staff.store.ts'
import { staffMessages } from '#desk/features/staff/staff.contract.ts'
import { approvalMessages } from '../approvals.contract.ts'
import { type ApprovalKind, type ApprovalRow, isGrant } from './approvals.store.ts'
import { findSharedInfluences } from './influence.view.ts'

export type RequestIdentity = Pick<ApprovalRow, 'kind' | 'subject' | 'asked_by'>

type Person = Pick<SignedInStaff, 'id' | 'email' | 'roles' | 'isLead' | 'isPasskeyOldEnough' | 'passkeyCountsFrom'>
type Rights = Pick<Person, 'roles' | 'isLead'>

/** Why a person cannot approve a request, and until when. `null` means that time does not change it. */
export type Obstacle = { why: string; until: Date | null }

/** Leads and finance decide about customers. A person with only the admin role sees no customers, even as a lead. */
const canDecideAboutCustomers = ({ roles, isLead }: Rights): boolean =>
  (isLead || roles.includes('finance')) && roles.some((role) => role !== 'admin')

export const canDecideAnything = (person: Rights): boolean =>
  canDecideAboutCustomers(person) || canDecide(person, 'staff')

export const canDecide = (person: Rights, kind: ApprovalKind): boolean =>
  isGrant(kind) ? person.isLead || person.roles.includes('admin') : canDecideAboutCustomers(person)

/** Why a person may neither approve nor decline a request. `null` when they may do at least one of the two. */
export function reasonCannotDecide(request: RequestIdentity, person: Person): string | null {
  if (!canDecide(person, request.kind))
    return isGrant(request.kind) ? approvalMessages.admins : approvalMessages.notYours
  return request.asked_by === person.id ? approvalMessages.own : null
}

/**
 * Why a person may not approve a request; `null` when they may. The approve call and every page that names deciders
 * use this rule.
 * Nobody approves a right of their own, or higher limits for a role that they have.
 * Nobody approves a request of a person with whom they share an influence: one person with two names could approve
 * everything.
 */
export async function findObstacle(db: Db, request: RequestIdentity, person: Person): Promise<Obstacle | null> {
  return obstacleFor(request, person, await findSharedInfluences(db, request.asked_by))
}

/**
 * The same rule for several people or requests.
 * @param influences the names of those with influence over both the requester and another person, by the id of that
 * person
 */
export function obstacleFor(
  request: RequestIdentity,
  person: Person,
  influences: ReadonlyMap<string, string>,
): Obstacle | null {
  const why = reasonCannotDecide(request, person)
  if (why !== null) return { why, until: null }
  if (!person.isPasskeyOldEnough) return { why: staffMessages.newPasskey, until: person.passkeyCountsFrom }
  if (request.kind === 'staff' && request.subject === person.email)
    return { why: approvalMessages.aboutYou, until: null }
  if (request.kind === 'limits' && person.roles.some((role) => role === request.subject))
    return { why: approvalMessages.ownLimits, until: null }
  const influence = influences.get(person.id)
  return influence === undefined ? null : { why: approvalMessages.influenced(influence), until: null }
}

/**
 * The names of everybody who can approve a request now. In the demo, people without a passkey can sign in and decide
 * too.
 */
export async function listDeciders(
  { db, isDemo }: { db: Db; isDemo: boolean },
  request: RequestIdentity,
): Promise<string[]> {
  const now = toDate(realNow())
  const influences = await findSharedInfluences(db, request.asked_by)
  const people = (await listActiveStaff(db)).map(({ is_lead: isLead, ...person }) => ({
    ...person,
    isLead,
    isPasskeyOldEnough: person.passkeyCountsFrom === null ? isDemo : person.passkeyCountsFrom <= now,
  }))
  return people.filter((person) => obstacleFor(request, person, influences) === null).map(({ name }) => name)
}
