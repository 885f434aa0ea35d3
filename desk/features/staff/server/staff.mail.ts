import { randomUUID } from 'node:crypto'
import type { Market } from '#kit/contract/bootstrap.ts'
import { appendZone, getCommaAfterZone } from '#kit/contract/zone-name.ts'
import type { Actor } from '#kit/server/actor.ts'
import type { Trx } from '#kit/server/db.ts'
import { type MessageDeps, queueMail } from '#features/messages/server/messages.ts'
import { createTasksCondition } from '#features/operator-tasks/server/tasks-condition.ts'
import { findLeadsAndAdmins } from './staff.store.ts'

export type StaffMailDeps = MessageDeps & {
  /** The operator's address, which is used if no other team lead or admin can act; `null` if there is none. */
  operatorMail: string | null
  deskUrl: string | null
}

/** Emails an invitation. The invitation link appears nowhere else. */
export const mailInvitation = (
  trx: Trx,
  deps: StaffMailDeps,
  { email, name, token }: { email: string; name: string; token: string },
): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: `staff-invitation:${randomUUID()}`,
    to: email,
    subject: `Your invitation to the ${deps.brandName} desk`,
    heading: 'Your invitation to the desk',
    paragraphs: [
      `${name}, you’re invited to the ${deps.brandName} desk. Create a passkey with the link below. It works once, within 24 hours.`,
      'The new passkey replaces any passkey you have at the desk, and signs you out everywhere else.',
      'If you didn’t expect this invitation, don’t use the link, and let a team lead know.',
    ],
    rows: [],
    button: { text: 'Create a passkey', url: `${deps.deskUrl ?? ''}/invited/${token}/` },
    isForStaff: true,
  })

/**
 * Sends an email saying that an access alert is open. The details are shown only at the desk, because several people
 * may read the same mailbox.
 */
export const mailAccessAlert = (
  trx: Trx,
  deps: StaffMailDeps,
  { taskId, to }: { taskId: string; to: string },
): Promise<void> =>
  queueMail(trx, deps, {
    eventKey: `staff-alert:${taskId}:${to}`,
    to,
    subject: `An access alert needs checking: ${deps.brandName}`,
    heading: 'An access alert needs checking',
    paragraphs: [
      'The alert is about access to customer data or a new passkey. A team lead needs to check it: the details are on Today.',
    ],
    rows: [],
    button: deskButton(deps),
    isForStaff: true,
    onlyWhile: { serviceId: null, premise: createTasksCondition({ open: [taskId], ended: [] }), byDay: false },
  })

const deskButton = ({ deskUrl }: StaffMailDeps) =>
  deskUrl === null ? null : { text: 'Open the desk', url: `${deskUrl}/` }

type RightsRemoval = {
  subject: string
  what: string
  /** The staff member concerned; `null` if a role's limits were lowered. */
  person: { id: string; email: string } | null
  canBeRequested?: boolean
}

/**
 * Emails team leads, other admins and the person concerned when someone has removed something immediately, such as roles
 * or sessions. Call this after the change, so that anyone who has just lost their rights no longer counts as able to act.
 */
export const mailRightsRemoval = (
  trx: Trx,
  deps: StaffMailDeps,
  actor: Actor,
  { subject, what, person, canBeRequested = true }: RightsRemoval,
): Promise<void> =>
  mailLeadsAndAdmins(trx, deps, {
    subject: `${deps.brandName} desk: ${subject}`,
    sentences: [
      `${actorName(actor)} ${what}. This took effect at once.`,
      `If you didn’t expect this, ask them why.${canBeRequested ? ' An admin can request it back at the desk.' : ''}`,
    ],
    byId: actor.by === 'staff' ? actor.id : null,
    person,
  })

export const mailApprovalRequest = (
  trx: Trx,
  deps: StaffMailDeps & { market: Pick<Market, 'zone'> },
  by: { id: string; name: string },
  { what, effectiveAt }: { what: string; effectiveAt: Date },
): Promise<void> => {
  const { zone } = deps.market
  return mailLeadsAndAdmins(trx, deps, {
    subject: `${deps.brandName} desk: ${by.name} requests a staff change`,
    sentences: [
      `${by.name} requested ${what}.`,
      `It takes effect on ${formatDateAndTime(effectiveAt, zone)}${getCommaAfterZone(zone)} ` +
        `unless a team lead or another admin declines it.`,
      'Approve or decline it on Today.',
    ],
    byId: by.id,
    person: null,
  })
}

const formatDateAndTime = (at: Date, zone: string): string =>
  appendZone(at.toLocaleString('en-NZ', { timeZone: zone, dateStyle: 'full', timeStyle: 'short' }), zone)

const actorName = (actor: Actor): string =>
  actor.by === 'staff' ? actor.name : actor.by === 'operator' ? `${actor.name} (command line)` : 'The system'

type StaffChangeNotice = { subject: string; sentences: string[]; byId: string | null; person: RightsRemoval['person'] }

/**
 * Emails a change of staff to every team lead, every other admin and the person concerned. People suspended in the last
 * 7 days are included, so that nobody can hide the change by suspending them first. The operator's address is included if
 * no other team lead or admin can act, because they are suspended or have not accepted their invitation.
 */
async function mailLeadsAndAdmins(trx: Trx, deps: StaffMailDeps, notice: StaffChangeNotice): Promise<void> {
  const { subject, sentences, byId, person } = notice
  const people = await findLeadsAndAdmins(trx, byId)
  const to = new Set(people.map(({ email }) => email))
  if (person !== null && person.id !== byId) to.add(person.email)
  if (!people.some(({ canAct }) => canAct) && deps.operatorMail !== null) to.add(deps.operatorMail)
  for (const email of to)
    await queueMail(trx, deps, {
      eventKey: `staff-notice:${randomUUID()}`,
      to: email,
      subject,
      heading: subject,
      paragraphs: sentences,
      rows: [],
      button: deskButton(deps),
      isForStaff: true,
    })
}
