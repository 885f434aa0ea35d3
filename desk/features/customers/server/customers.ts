import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { paginateRows, parsePosition } from '#kit/server/pagination.ts'
import { formError, notFound, HttpError } from '#kit/server/http-error.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import {
  blockCustomer,
  signOutCustomer,
  unblockCustomer,
  unlockCustomer,
} from '#features/customers/server/customers.ts'
import { type HistorySection, listHistoryEvents } from '#features/customers/server/history.store.ts'
import type { ActionRefusal } from '#features/customers/server/locked-customer.ts'
import { resentMessageLabel } from '#features/customers/server/resend.labels.ts'
import { resendMessage } from '#features/customers/server/resend-message.ts'
import { eventsPerPage, readCustomerDetails } from '#features/customers/server/show-customer.ts'
import { findMessage } from '#features/messages/server/messages.store.ts'
import { findCopyableMessages } from '#features/messages/server/stated-facts.store.ts'
import { findLatestPorts } from '#features/porting/server/porting.store.ts'
import { maskEmail } from '#kit/server/masks.ts'
import {
  requireVerifiedCaller,
  readVerificationEnd,
} from '#desk/features/caller-verification/server/caller-verification.ts'
import { recordAccess, recordAccessInTransaction } from '#desk/features/access-alerts/server/access-alerts.ts'
import {
  listAccess,
  insertAccessEntry,
  findAccessReason,
  accessPeriodMinutes,
} from '#desk/features/staff/server/access.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import {
  customerActionNames,
  type CustomerActionName,
  type AccessReason,
  paymentSummaryDays,
  requiresVerifiedCaller,
} from '../customers.contract.ts'
import type { HistoryFilter } from '../customer-history.contract.ts'
import { listCustomerTasks, accessLogQuery, sumPaymentsAndRefunds } from './customers.view.ts'
import { insertNote, listNotes } from './notes.store.ts'

const [maxTasks, maxNotes, maxRecentAccess, accessPageSize] = [10, 50, 5, 50]

const historySectionsByFilter: Record<HistoryFilter, readonly HistorySection[]> = {
  money: ['order', 'refund', 'dispute', 'gateway'],
  network: ['number', 'transfer'],
  messages: ['message'],
  account: ['act'],
  staff: ['staff'],
}

/**
 * Finds a customer by id.
 * @throws 404 if there is no such customer
 */
export async function requireCustomer({ db }: CustomersDeps, id: string): Promise<User> {
  const user = isUuid(id) ? await findUser(db, id) : undefined
  if (!user) throw notFound()
  return user
}

export async function findCustomerAccess({ db }: CustomersDeps, staff: SignedInStaff, userId: string) {
  const currentAccess = await findAccessReason(db, staff.id, userId)
  return (
    currentAccess && { ...currentAccess, until: new Date(currentAccess.at.getTime() + accessPeriodMinutes * 60_000) }
  )
}

/**
 * Finds a customer, and the reason for which this staff member opened the customer's record, if they did. Every page
 * about a customer calls this first. Only the endpoint `openCustomer` opens a record.
 * @throws 404 if there is no such customer
 */
export async function findCustomerWithAccess(deps: CustomersDeps, staff: SignedInStaff, id: string) {
  const user = await requireCustomer(deps, id)
  return { user, opening: await findCustomerAccess(deps, staff, user.id) }
}

/**
 * Returns a customer whose record this staff member has opened.
 * @throws 404 if there is no such customer, 403 if this staff member has not opened the record
 */
export async function requireAccessToCustomer(deps: CustomersDeps, staff: SignedInStaff, id: string): Promise<User> {
  const user = await requireCustomer(deps, id)
  if (!(await findCustomerAccess(deps, staff, user.id)))
    throw new HttpError(403, { code: 'Please choose why you need to see this customer first.', why: true })
  return user
}

export const recordCustomerAccess = (
  deps: CustomersDeps,
  staff: SignedInStaff,
  userId: string,
  why: { reason: AccessReason; ticket?: string },
) =>
  recordAccess(deps, staff, {
    act: 'customer_opened',
    userId,
    reason: why.reason,
    detail: why.reason === 'ticket' ? (why.ticket ?? null) : null,
  })

export async function readCustomerPage(deps: CustomersDeps, staff: SignedInStaff, user: User) {
  const { db, clock } = deps
  await insertAccessEntry(db, { staffId: staff.id, act: 'customer_seen', userId: user.id })
  const isSupport = staff.roles.includes('support')
  const known = await readCustomerDetails(deps, user)
  const numbers = known.numbers.map(({ id }) => id)
  return {
    known,
    ports: isSupport ? await findLatestPorts(db, numbers) : null,
    money: await sumPaymentsAndRefunds(db, user.id, {
      paid: paymentPeriodStart(clock.now()),
      given: paymentPeriodStart(realNow()),
    }),
    tasks: await listCustomerTasks(db, user.id, maxTasks),
    notes: isSupport ? await listNotes(db, user.id, maxNotes) : null,
    looks: await listAccess(db, user.id, { before: null, limit: maxRecentAccess }),
    happened: await listCustomerHistory(deps, user, {}),
    callerUntil: isSupport ? await readVerificationEnd(deps, { userId: user.id, staffId: staff.id }) : null,
    acts: isSupport && !user.erased_at ? customerActionNames.filter((act) => isActionPossible(act, user)) : [],
  }
}

const paymentPeriodStart = (now: Temporal.Instant): Date => toDate(now.subtract({ hours: 24 * paymentSummaryDays }))

const isActionPossible = (act: CustomerActionName, { blocked_at: blocked }: User): boolean =>
  act === 'block' ? blocked === null : act === 'unblock' ? blocked !== null : true

/** Returns a page of the customer's history, newest first. @throws 400 for an invalid cursor */
export async function listCustomerHistory(
  { db }: CustomersDeps,
  user: User,
  { of, before }: { of?: HistoryFilter; before?: string },
) {
  const rows = await listHistoryEvents(db, user.id, {
    before: parseCursor(before),
    limit: eventsPerPage + 1,
    ...(of && { only: historySectionsByFilter[of] }),
    also: !of || of === 'staff' ? [accessLogQuery(user.id)] : [],
  })
  const page = paginateRows(rows, eventsPerPage)
  const messageIds = page.rows.flatMap((row) => (row.of === 'message' && row.ref ? [row.ref] : []))
  return { ...page, copyable: await findCopyableMessages(db, messageIds) }
}

export async function listCustomerAccess(
  { db }: CustomersDeps,
  staff: SignedInStaff,
  user: User,
  before: string | undefined,
) {
  await insertAccessEntry(db, { staffId: staff.id, act: 'trail_seen', userId: user.id })
  return paginateRows(
    await listAccess(db, user.id, { before: parseCursor(before), limit: accessPageSize + 1 }),
    accessPageSize,
  )
}

function parseCursor(before: string | undefined) {
  if (before === undefined) return null
  const place = parsePosition(before)
  if (!place) throw formError('That page of the list doesn’t exist. Go back to the first page.')
  return place
}

/** Returns the customer's full email address. The access log is written in the same transaction, so every disclosure is recorded. */
export const revealEmail = (deps: CustomersDeps, staff: SignedInStaff, userId: string): Promise<string> =>
  transact(deps.db, async (trx) => {
    const user = await findUser(trx, userId)
    if (!user || user.erased_at) throw notFound()
    await recordAccessInTransaction(trx, deps, staff, { act: 'email_shown', userId })
    return user.email
  })

export const addNote = ({ db, clock }: CustomersDeps, staff: SignedInStaff, { id, erased_at }: User, body: string) =>
  transact(db, async (trx) => {
    if (erased_at) throw formError('This customer has been erased.')
    const made = await insertNote(trx, { userId: id, staffId: staff.id, body })
    await audit(trx, clock, { event: 'note_written', userId: id, actor: toStaffActor(staff), details: { note: made } })
  })

/**
 * Performs an action on a customer's account and returns a sentence for the staff member.
 * @throws 400 with the reason why the action is not possible, which the form shows
 * @throws 403 if the caller must be verified first
 */
export async function performCustomerAction(
  deps: CustomersDeps,
  name: CustomerActionName,
  user: User,
  { staff, reason }: { staff: SignedInStaff; reason: string },
): Promise<string> {
  if (requiresVerifiedCaller(name)) await requireVerifiedCaller(deps, staff, user.id)
  const actor = toStaffActor(staff, reason)
  switch (name) {
    case 'unlock':
      assertActionAllowed(await unlockCustomer(deps, user.id, actor))
      return 'Unlocked. The customer can try to sign in and enter PINs again.'
    case 'sign-out':
      assertActionAllowed(await signOutCustomer(deps, user.id, actor))
      return 'The customer was signed out everywhere.'
    case 'block': {
      const { stopped } = assertActionAllowed(await blockCustomer(deps, user.id, actor))
      const ended = stopped.length > 0 ? ` Auto-renewal was switched off (numbers: ${stopped.length}).` : ''
      return `Blocked. The customer can’t sign in or pay.${ended}`
    }
    case 'unblock':
      assertActionAllowed(await unblockCustomer(deps, user.id, actor))
      return 'Unblocked. The customer can sign in and pay again.'
  }
}

/**
 * Resends one of this customer's messages.
 * @throws 404 for a message to a different customer
 */
export async function resendToCustomer(
  deps: CustomersDeps,
  messageId: string,
  user: User,
  actor: Actor,
): Promise<string> {
  const message = isUuid(messageId) ? await transact(deps.db, (trx) => findMessage(trx, messageId)) : undefined
  if (message?.user_id !== user.id) throw notFound()
  const { to, is_copy } = assertActionAllowed(await resendMessage(deps, messageId, actor))
  return resentMessageLabel(maskEmail(to), is_copy)
}

function assertActionAllowed<Outcome extends object>(outcome: Outcome | ActionRefusal): Outcome {
  if ('why' in outcome) throw formError(outcome.why)
  return outcome as Outcome
}
