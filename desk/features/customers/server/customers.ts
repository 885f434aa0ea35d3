import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { pageOf, readPlace } from '#kit/server/page.ts'
import { invalidForm, notFound, Refusal } from '#kit/server/refusal.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import {
  blockCustomer,
  signOutCustomer,
  unblockCustomer,
  unlockCustomer,
} from '#features/customers/server/customers.ts'
import { type HappenedPart, listHappened } from '#features/customers/server/history.store.ts'
import type { Impossible } from '#features/customers/server/locked-customer.ts'
import { resendMessage } from '#features/customers/server/resend.ts'
import { happenedAPage, knownOf } from '#features/customers/server/show.ts'
import { findMessage } from '#features/messages/server/messages.store.ts'
import { latestPorts } from '#features/porting/server/porting.store.ts'
import { maskedEmail } from '#kit/server/masks.ts'
import { requireVerifiedCaller, verifiedUntil } from '#desk/features/callers/server/callers.ts'
import { noteLook, noteLookIn } from '#desk/features/alarms/server/alarms.ts'
import { listLooks, noteAccess, openedWhy, openMinutes } from '#desk/features/staff/server/access.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import { customerActs, type CustomerAct, type Look, moneyDays, needsCaller } from '../customers.contract.ts'
import type { HappenedChip } from '../happened.contract.ts'
import { listTasksOf, looksOf, moneyOf } from './customers.view.ts'
import { insertNote, listNotes } from './notes.store.ts'

const [mostTasks, mostNotes, looksBeside, looksAPage] = [10, 50, 5, 50]

const partsOfChip: Record<HappenedChip, readonly HappenedPart[]> = {
  money: ['order', 'refund', 'dispute', 'gateway'],
  network: ['number', 'transfer'],
  messages: ['message'],
  account: ['act'],
  staff: ['staff'],
}

/** @throws 404 when there is no such customer */
export async function customerOf({ db }: CustomersDeps, id: string): Promise<User> {
  const user = isUuid(id) ? await findUser(db, id) : undefined
  if (!user) throw notFound()
  return user
}

export async function openingOf({ db }: CustomersDeps, staff: SignedInStaff, userId: string) {
  const opening = await openedWhy(db, staff.id, userId)
  return opening && { ...opening, until: new Date(opening.at.getTime() + openMinutes * 60_000) }
}

/**
 * Finds a customer, and the reader's opening if there is one. Every page about a customer starts here.
 * Only `open` opens a customer.
 * @throws 404
 */
export async function lookAt(deps: CustomersDeps, staff: SignedInStaff, id: string) {
  const user = await customerOf(deps, id)
  return { user, opening: await openingOf(deps, staff, user.id) }
}

/**
 * A customer whom this person has opened.
 * @throws 404 when there is no such customer, 403 when this person has not opened them
 */
export async function openCustomerOf(deps: CustomersDeps, staff: SignedInStaff, id: string): Promise<User> {
  const user = await customerOf(deps, id)
  if (!(await openingOf(deps, staff, user.id)))
    throw new Refusal(403, { code: 'Please choose why you need to see this customer first.', why: true })
  return user
}

export const open = (
  deps: CustomersDeps,
  staff: SignedInStaff,
  userId: string,
  why: { reason: Look; ticket?: string },
) =>
  noteLook(deps, staff, {
    act: 'customer_opened',
    userId,
    reason: why.reason,
    detail: why.reason === 'ticket' ? (why.ticket ?? null) : null,
  })

export async function seenBy(deps: CustomersDeps, staff: SignedInStaff, user: User) {
  const { db, clock } = deps
  await noteAccess(db, { staffId: staff.id, act: 'customer_seen', userId: user.id })
  const isSupport = staff.roles.includes('support')
  const known = await knownOf(deps, user)
  const numbers = known.numbers.map(({ id }) => id)
  return {
    known,
    ports: isSupport ? await latestPorts(db, numbers) : null,
    money: await moneyOf(db, user.id, { paid: daysBefore(clock.now()), given: daysBefore(realNow()) }),
    tasks: await listTasksOf(db, user.id, mostTasks),
    notes: isSupport ? await listNotes(db, user.id, mostNotes) : null,
    looks: await listLooks(db, user.id, { before: null, limit: looksBeside }),
    happened: await happenedTo(deps, user, {}),
    callerUntil: isSupport ? await verifiedUntil(deps, { userId: user.id, staffId: staff.id }) : null,
    acts: isSupport && !user.erased_at ? customerActs.filter((act) => isPossible(act, user)) : [],
  }
}

const daysBefore = (now: Temporal.Instant): Date => toDate(now.subtract({ hours: 24 * moneyDays }))

const isPossible = (act: CustomerAct, { blocked_at: blocked }: User): boolean =>
  act === 'block' ? blocked === null : act === 'unblock' ? blocked !== null : true

/** A page of the customer's history, newest first. @throws 400 for an invalid cursor */
export async function happenedTo(
  { db }: CustomersDeps,
  user: User,
  { of, before }: { of?: HappenedChip; before?: string },
) {
  const rows = await listHappened(db, user.id, {
    before: placeIn(before),
    limit: happenedAPage + 1,
    ...(of && { only: partsOfChip[of] }),
    also: !of || of === 'staff' ? [looksOf(user.id)] : [],
  })
  return pageOf(rows, happenedAPage)
}

export async function looksAt({ db }: CustomersDeps, staff: SignedInStaff, user: User, before: string | undefined) {
  await noteAccess(db, { staffId: staff.id, act: 'trail_seen', userId: user.id })
  return pageOf(await listLooks(db, user.id, { before: placeIn(before), limit: looksAPage + 1 }), looksAPage)
}

function placeIn(before: string | undefined) {
  if (before === undefined) return null
  const place = readPlace(before)
  if (!place) throw invalidForm('That page of the list doesn’t exist. Go back to the first page.')
  return place
}

/** Returns the whole address. The same transaction writes the access log, so no address is shown without a record. */
export const uncoverEmail = (deps: CustomersDeps, staff: SignedInStaff, userId: string): Promise<string> =>
  transact(deps.db, async (trx) => {
    const user = await findUser(trx, userId)
    if (!user || user.erased_at) throw notFound()
    await noteLookIn(trx, deps, staff, { act: 'email_shown', userId })
    return user.email
  })

export const note = ({ db, clock }: CustomersDeps, staff: SignedInStaff, { id, erased_at }: User, body: string) =>
  transact(db, async (trx) => {
    if (erased_at) throw invalidForm('This customer has been erased.')
    const made = await insertNote(trx, { userId: id, staffId: staff.id, body })
    await audit(trx, clock, { event: 'note_written', userId: id, actor: actorOf(staff), details: { note: made } })
  })

/**
 * Performs an act on a customer and returns a sentence for the staff member.
 * @throws 400 with the reason why the act is not possible, which the form shows; 403 when the caller must be verified
 * first
 */
export async function act(
  deps: CustomersDeps,
  name: CustomerAct,
  user: User,
  { staff, reason }: { staff: SignedInStaff; reason: string },
): Promise<string> {
  if (needsCaller(name)) await requireVerifiedCaller(deps, staff, user.id)
  const actor = actorOf(staff, reason)
  switch (name) {
    case 'unlock':
      possible(await unlockCustomer(deps, user.id, actor))
      return 'Unlocked. They can try to sign in and enter PINs again.'
    case 'sign-out':
      possible(await signOutCustomer(deps, user.id, actor))
      return 'Signed out everywhere.'
    case 'block': {
      const { stopped } = possible(await blockCustomer(deps, user.id, actor))
      const ended = stopped.length > 0 ? ` Auto-renewal was switched off (numbers: ${stopped.length}).` : ''
      return `Blocked. They can’t sign in or pay.${ended}`
    }
    case 'unblock':
      possible(await unblockCustomer(deps, user.id, actor))
      return 'Unblocked. They can sign in and pay again.'
  }
}

/** Sends a message to this customer again. @throws 404 for a message of another customer */
export async function again(deps: CustomersDeps, messageId: string, user: User, actor: Actor): Promise<string> {
  const message = isUuid(messageId) ? await transact(deps.db, (trx) => findMessage(trx, messageId)) : undefined
  if (message?.user_id !== user.id) throw notFound()
  const { to } = possible(await resendMessage(deps, messageId, actor))
  return `The message is on its way to ${maskedEmail(to)}, with current details.`
}

function possible<Outcome extends object>(outcome: Outcome | Impossible): Outcome {
  if ('why' in outcome) throw invalidForm(outcome.why)
  return outcome as Outcome
}
