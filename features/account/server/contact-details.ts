import type { Market } from '#kit/contract/bootstrap.ts'
import type { BodyOf } from '#kit/contract/endpoint.ts'
import { type FieldErrors, formMessages } from '#kit/contract/errors.ts'
import { parseMobile } from '#kit/contract/phone.ts'
import { audit } from '#kit/server/audit.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { conflict, faultsIn, invalid, refuseAny, unauthorised } from '#kit/server/refusal.ts'
import type { Actor } from '#kit/server/visit.ts'
import { enterPassword, requireRecentPassword } from '#features/auth/server/auth.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import { takeToken, voidTokens } from '#features/auth/server/tokens.store.ts'
import { findUser, lockUser, renameUser, setContactService } from '#features/auth/server/users.store.ts'
import { findListedService, hasServices } from '#features/services/server/services.store.ts'
import { detailsMessages, type updateDetails } from '../contact-details.contract.ts'
import { sendPhoneLink, tellOfNewPhone } from './contact-phone.mail.ts'
import {
  dropPhoneChange,
  findContactPhone,
  findPendingNumber,
  savePhoneChange,
  type OwnNumber,
} from './contact-phone.store.ts'

export type ContactDetailsDeps = AuthDeps & { market: Market }

/**
 * Saves the names at once. A new contact phone becomes active when the customer follows the link in a mail.
 * @throws 400 when the fields are invalid, or when a new phone needs the password again; nothing is saved then
 */
export async function saveDetails(
  deps: ContactDetailsDeps,
  actor: Actor,
  { phone, password, email: _, ...names }: BodyOf<typeof updateDetails>,
): Promise<void> {
  const now = deps.clock.now()
  refuseAny(await detailsFaults(deps, actor, { phone, password }))
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    if (!user) throw unauthorised()
    const chosen = await ownNumber(trx, deps, user.id, phone)
    const isNew = chosen !== null && chosen.service_id !== user.contact_service_id
    if (isNew) await requireRecentPassword(trx, actor)
    const fields = Object.keys(names) as (keyof typeof names)[]
    if (fields.some((field) => names[field] !== user[field])) {
      await renameUser(trx, user.id, names, now)
      await audit(trx, deps.clock, { event: 'details_changed', ...actor })
    }
    // Every save sends the current phone, so an unchanged phone does not cancel a pending change. Cancelling has its
    // own endpoint.
    if (!isNew) return
    await savePhoneChange(trx, user.id, chosen.service_id, now)
    await sendPhoneLink(trx, deps, { ...user, ...names }, chosen)
    await audit(trx, deps.clock, { event: 'phone_change_requested', ...actor })
  })
}

/**
 * A correct password is recorded for the session.
 * @throws 429 after too many wrong passwords
 */
export function detailsFaults(
  deps: ContactDetailsDeps,
  actor: Actor,
  { phone, password = '' }: { phone?: string; password?: string },
): Promise<FieldErrors> {
  const { db } = deps
  return faultsIn(
    () => enterPassword(deps, actor, password),
    async () => {
      if (phone === undefined) return
      const chosen = await ownNumber(db, deps, actor.userId, phone)
      const user = chosen && (await findUser(db, actor.userId))
      if (user && chosen.service_id !== user.contact_service_id && password === '')
        await requireRecentPassword(db, actor)
    },
  )
}

/** The customer's service with this number; `null` for a customer without services who sends no number. */
async function ownNumber(
  db: Db | Trx,
  { market }: ContactDetailsDeps,
  userId: string,
  phone: string,
): Promise<OwnNumber | null> {
  if (phone === '') {
    if (!(await hasServices(db, userId))) return null
    throw invalid({ phone: [formMessages.required] })
  }
  const number = parseMobile(phone, market.phoneRegion)
  const service = typeof number === 'string' ? undefined : await findListedService(db, userId, { msisdn: number.e164 })
  if (!service) throw invalid({ phone: [detailsMessages.phone] })
  return { service_id: service.id, msisdn: service.msisdn }
}

/**
 * Makes the pending number the contact phone.
 * @throws 400 when the link is used, expired, of another customer, or for a number that is no longer pending
 */
export async function confirmContactPhone(deps: ContactDetailsDeps, actor: Actor, token: string): Promise<void> {
  const now = deps.clock.now()
  const isConfirmed = await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    const taken = user && (await takeToken(trx, { token, purpose: 'phone', userId: user.id }, now))
    const pending = taken && (await findPendingNumber(trx, user.id))
    if (!pending || pending.service_id !== taken.subject_id || taken.email !== user.email) return false
    const before = await findContactPhone(trx, user.id)
    await setContactService(trx, user.id, pending.service_id, now)
    await dropPhoneChange(trx, user.id)
    await tellOfNewPhone(trx, deps, user, { event: hashToken(token), before, after: pending.msisdn })
    await audit(trx, deps.clock, { event: 'phone_changed', ...actor })
    return true
  })
  if (!isConfirmed) throw invalid({ token: [detailsMessages.phoneInvalid] })
}

/**
 * Cancels the pending number and voids its link. The contact phone stays.
 * @throws 409 when no number is pending
 */
export async function cancelPhone(deps: ContactDetailsDeps, actor: Actor): Promise<void> {
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    if (!user || !(await dropPhoneChange(trx, user.id))) throw conflict(detailsMessages.nothingPending)
    await voidTokens(trx, user.id, ['phone'], deps.clock.now())
    await audit(trx, deps.clock, { event: 'phone_change_canceled', ...actor })
  })
}

/**
 * Sends a new link for the pending number and voids the previous link.
 * @throws 409 when no number is pending
 */
export async function resendPhoneLink(deps: ContactDetailsDeps, actor: Actor): Promise<void> {
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    const pending = user && (await findPendingNumber(trx, user.id))
    if (!pending) throw conflict(detailsMessages.nothingPending)
    await sendPhoneLink(trx, deps, user, pending)
    await audit(trx, deps.clock, { event: 'phone_change_requested', ...actor })
  })
}
