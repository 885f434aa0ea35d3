import { randomUUID } from 'node:crypto'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { Actor } from '#kit/server/actor.ts'
import type { Trx } from '#kit/server/db.ts'
import { type MessageDeps, queueMail } from '#features/messages/server/messages.ts'
import { findGuardians } from './staff.store.ts'

export type StaffMailDeps = MessageDeps & {
  /** Where mails go that nobody at the desk would read; null: none are sent. */
  operatorMail: string | null
  /** Origin of the desk; null: there is none. */
  deskUrl: string | null
}

/** The only place where the link of an invitation is written. */
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
      `${name}, you’re invited to the ${deps.brandName} desk. Use the link below to make a passkey. It works once, within 24 hours.`,
      'The new passkey replaces any passkey you have at the desk, and signs you out everywhere else.',
      'If you didn’t expect this invitation, don’t use the link, and tell a lead.',
    ],
    rows: [],
    button: { text: 'Make a passkey', url: `${deps.deskUrl ?? ''}/invited/${token}/` },
  })

/** Announces what was taken from a colleague, by one person and at once. */
export const mailTaking = (
  trx: Trx,
  deps: StaffMailDeps,
  actor: Actor,
  { subject, what }: { subject: string; what: string },
): Promise<void> =>
  mailGuardians(trx, deps, {
    subject: `${deps.brandName} desk: ${subject}`,
    sentences: [
      `${whoIs(actor)} has ${what}. This took effect at once.`,
      'If you didn’t expect this, ask them why. An admin can request it back at the desk.',
    ],
    byId: actor.by === 'staff' ? actor.id : null,
  })

/** Tells leads of what was requested, while they can still decline it. */
export const mailRequest = (
  trx: Trx,
  deps: StaffMailDeps & { market: Pick<Market, 'zone'> },
  by: { id: string; name: string },
  { what, effectiveAt }: { what: string; effectiveAt: Date },
): Promise<void> =>
  mailGuardians(trx, deps, {
    subject: `${deps.brandName} desk: ${by.name} requests a change to staff`,
    sentences: [
      `${by.name} has requested ${what}.`,
      `It takes effect on ${minuteIn(effectiveAt, deps.market.zone)} unless a lead or another admin declines it.`,
      'Approve or decline it on Today.',
    ],
    byId: by.id,
  })

const minuteIn = (at: Date, zone: string): string =>
  at.toLocaleString('en-NZ', { timeZone: zone, dateStyle: 'full', timeStyle: 'short' })

const whoIs = (actor: Actor): string =>
  actor.by === 'staff' ? actor.name : actor.by === 'operator' ? `${actor.name} (command line)` : 'The product'

type Notice = { subject: string; sentences: string[]; byId: string | null }

/**
 * Tells every lead and every other admin of a change to staff. Those suspended within a week are told as well, so that nobody is
 * suspended first to keep a later change from them. Without anybody the operator's address is told.
 */
export async function mailGuardians(
  trx: Trx,
  deps: StaffMailDeps,
  { subject, sentences, byId }: Notice,
): Promise<void> {
  const guardians = await findGuardians(trx, byId)
  const to = guardians.length > 0 ? guardians : deps.operatorMail === null ? [] : [deps.operatorMail]
  for (const email of to)
    await queueMail(trx, deps, {
      eventKey: `staff-notice:${randomUUID()}`,
      to: email,
      subject,
      heading: subject,
      paragraphs: sentences,
      rows: [],
      button: deps.deskUrl === null ? null : { text: 'Open the desk', url: `${deps.deskUrl}/` },
    })
}
