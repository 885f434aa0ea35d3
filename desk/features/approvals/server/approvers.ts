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

/** Why a person cannot approve a request, and until when. `until` is `null` if waiting does not help. */
export type ApprovalObstacle = { why: string; until: Date | null }

/**
 * Team leads and finance decide about requests that concern customers. A person whose only role is admin may not see
 * customers, even if they are a team lead.
 */
const canDecideAboutCustomers = ({ roles, isLead }: Rights): boolean =>
  (isLead || roles.includes('finance')) && roles.some((role) => role !== 'admin')

export const canDecideAnything = (person: Rights): boolean =>
  canDecideAboutCustomers(person) || canDecide(person, 'staff')

export const canDecide = (person: Rights, kind: ApprovalKind): boolean =>
  isGrant(kind) ? person.isLead || person.roles.includes('admin') : canDecideAboutCustomers(person)

/** Returns why a person may neither approve nor decline a request. `null` if they may at least decline it. */
export function findIneligibilityReason(request: RequestIdentity, person: Person): string | null {
  if (!canDecide(person, request.kind))
    return isGrant(request.kind) ? approvalMessages.admins : approvalMessages.notYours
  return request.asked_by === person.id ? approvalMessages.own : null
}

/**
 * Returns why a person may not approve a request; `null` if they may. The approve endpoint and every page that names
 * approvers use this rule. People may not approve rights for themselves, or higher limits for a role that they have.
 * They also may not approve a request if someone has influence over both them and the requester. Otherwise one person
 * with two accounts could approve anything.
 */
export async function findApprovalObstacle(
  db: Db,
  request: RequestIdentity,
  person: Person,
): Promise<ApprovalObstacle | null> {
  return getApprovalObstacle(request, person, await findSharedInfluences(db, request.asked_by))
}

/**
 * Applies the same rule as `findApprovalObstacle`, with influences that have already been loaded.
 * @param influences maps a staff id to the name of a colleague with influence over both that person and the requester
 */
export function getApprovalObstacle(
  request: RequestIdentity,
  person: Person,
  influences: ReadonlyMap<string, string>,
): ApprovalObstacle | null {
  const why = findIneligibilityReason(request, person)
  if (why !== null) return { why, until: null }
  if (!person.isPasskeyOldEnough) return { why: staffMessages.newPasskey, until: person.passkeyCountsFrom }
  if (request.kind === 'staff' && request.subject === person.email)
    return { why: approvalMessages.aboutYou, until: null }
  if (request.kind === 'limits' && person.roles.some((role) => role === request.subject))
    return { why: approvalMessages.ownLimits, until: null }
  const influencingColleague = influences.get(person.id)
  return influencingColleague === undefined
    ? null
    : { why: approvalMessages.sharedInfluence(influencingColleague), until: null }
}

/** Returns the names of everyone who can approve a request right now. In the demo, this includes people without a passkey. */
export async function listApprovers(
  { db, isDemo }: { db: Db; isDemo: boolean },
  request: RequestIdentity,
): Promise<string[]> {
  const now = toDate(realNow())
  const sharedInfluences = await findSharedInfluences(db, request.asked_by)
  const people = (await listActiveStaff(db)).map(({ is_lead: isLead, ...person }) => ({
    ...person,
    isLead,
    isPasskeyOldEnough: person.passkeyCountsFrom === null ? isDemo : person.passkeyCountsFrom <= now,
  }))
  return people
    .filter((person) => getApprovalObstacle(request, person, sharedInfluences) === null)
    .map(({ name }) => name)
}
