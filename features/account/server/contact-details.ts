import type { Market } from '#kit/contract/bootstrap.ts'
import type { EndpointBody } from '#kit/contract/endpoint.ts'
import { type FieldErrors, formMessages } from '#kit/contract/errors.ts'
import { parseMobile } from '#kit/contract/phone.ts'
import { audit } from '#kit/server/audit.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { conflict, collectErrors, badRequest, throwIfInvalid, unauthorised } from '#kit/server/http-error.ts'
import type { CustomerActor } from '#kit/server/request-context.ts'
import { checkAndRecordPassword, requireRecentPassword } from '#features/auth/server/auth.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import { consumeToken, invalidateTokens } from '#features/auth/server/tokens.store.ts'
import { findUser, lockUser, renameUser, setContactService } from '#features/auth/server/users.store.ts'
import { findListedService, hasServices } from '#features/services/server/services.store.ts'
import { detailsMessages, type updateDetails } from '../contact-details.contract.ts'
import { queuePhoneConfirmationMail, notifyPhoneChanged } from './contact-phone.mail.ts'
import {
  deletePendingNumber,
  findContactPhone,
  findPendingNumber,
  savePendingNumber,
  type ServiceNumber,
} from './contact-phone.store.ts'

export type ContactDetailsDeps = AuthDeps & { market: Market }

/**
 * Saves the names immediately. A new contact phone takes effect once the customer follows the emailed link.
 * @throws 400 when a field is invalid, or when changing the phone requires the password again; saves nothing in that
 * case
 */
export async function saveDetails(
  deps: ContactDetailsDeps,
  actor: CustomerActor,
  { phone, password, email: _, ...names }: EndpointBody<typeof updateDetails>,
): Promise<{ isPhoneRequested: boolean }> {
  const now = deps.clock.now()
  throwIfInvalid(await validateDetails(deps, actor, { phone, password }))
  return transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    if (!user) throw unauthorised()
    const selectedNumber = await findSelectedNumber(trx, deps, user.id, phone)
    const isNewPhone = selectedNumber !== null && selectedNumber.service_id !== user.contact_service_id
    if (isNewPhone) await requireRecentPassword(trx, actor)
    const fields = Object.keys(names) as (keyof typeof names)[]
    if (fields.some((field) => names[field] !== user[field])) {
      await renameUser(trx, user.id, names, now)
      await audit(trx, deps.clock, { event: 'details_changed', ...actor })
    }
    // The form always submits the current phone, so an unchanged phone must not cancel a pending change. Cancelling has its own endpoint.
    if (!isNewPhone) return { isPhoneRequested: false }
    await savePendingNumber(trx, user.id, selectedNumber.service_id, now)
    await queuePhoneConfirmationMail(trx, deps, { ...user, ...names }, selectedNumber)
    await audit(trx, deps.clock, { event: 'phone_change_requested', ...actor })
    return { isPhoneRequested: true }
  })
}

/**
 * Validates the fields. If the password is correct, records in the session that it was entered.
 * @throws 429 after too many wrong passwords
 */
export function validateDetails(
  deps: ContactDetailsDeps,
  actor: CustomerActor,
  { phone, password = '' }: { phone?: string; password?: string },
): Promise<FieldErrors> {
  const { db } = deps
  return collectErrors(
    () => checkAndRecordPassword(deps, actor, password),
    async () => {
      if (phone === undefined) return
      const selectedNumber = await findSelectedNumber(db, deps, actor.userId, phone)
      const user = selectedNumber && (await findUser(db, actor.userId))
      if (user && selectedNumber.service_id !== user.contact_service_id && password === '')
        await requireRecentPassword(db, actor)
    },
  )
}

/**
 * Finds the customer's service with this phone number. Returns `null` when the customer has no services and submits no
 * number.
 */
async function findSelectedNumber(
  db: Db | Trx,
  { market }: ContactDetailsDeps,
  userId: string,
  phone: string,
): Promise<ServiceNumber | null> {
  if (phone === '') {
    if (!(await hasServices(db, userId))) return null
    throw badRequest({ phone: [formMessages.required] })
  }
  const number = parseMobile(phone, market.phoneRegion)
  const service = typeof number === 'string' ? undefined : await findListedService(db, userId, { msisdn: number.e164 })
  if (!service) throw badRequest({ phone: [detailsMessages.phone] })
  return { service_id: service.id, msisdn: service.msisdn }
}

/**
 * Turns the pending phone number into the contact phone.
 * @throws 400 when the link has been used, has expired, belongs to another customer, or is for a number that is no
 * longer pending
 */
export async function confirmContactPhone(
  deps: ContactDetailsDeps,
  actor: CustomerActor,
  token: string,
): Promise<void> {
  const now = deps.clock.now()
  const isConfirmed = await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    const taken = user && (await consumeToken(trx, { token, purpose: 'phone', userId: user.id }, now))
    const pendingNumber = taken && (await findPendingNumber(trx, user.id))
    if (!pendingNumber || pendingNumber.service_id !== taken.subject_id || taken.email !== user.email) return false
    const previousPhone = await findContactPhone(trx, user.id)
    await setContactService(trx, user.id, pendingNumber.service_id, now)
    await deletePendingNumber(trx, user.id)
    await notifyPhoneChanged(trx, deps, user, {
      event: hashToken(token),
      before: previousPhone,
      after: pendingNumber.msisdn,
    })
    await audit(trx, deps.clock, { event: 'phone_changed', ...actor })
    return true
  })
  if (!isConfirmed) throw badRequest({ token: [detailsMessages.phoneInvalid] })
}

/**
 * Cancels the pending contact phone and invalidates its link. The current contact phone stays the same.
 * @throws 409 when no phone is pending
 */
export async function cancelPendingPhone(deps: ContactDetailsDeps, actor: CustomerActor): Promise<void> {
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    if (!user || !(await deletePendingNumber(trx, user.id))) throw conflict(detailsMessages.nothingPending)
    await invalidateTokens(trx, user.id, ['phone'], deps.clock.now())
    await audit(trx, deps.clock, { event: 'phone_change_canceled', ...actor })
  })
}

/**
 * Emails a new confirmation link for the pending contact phone and invalidates the previous link.
 * @throws 409 when no phone is pending
 */
export async function resendPhoneConfirmationMail(deps: ContactDetailsDeps, actor: CustomerActor): Promise<void> {
  await transact(deps.db, async (trx) => {
    const user = await lockUser(trx, actor.userId)
    const pendingNumber = user && (await findPendingNumber(trx, user.id))
    if (!pendingNumber) throw conflict(detailsMessages.nothingPending)
    await queuePhoneConfirmationMail(trx, deps, user, pendingNumber)
    await audit(trx, deps.clock, { event: 'phone_change_requested', ...actor })
  })
}
