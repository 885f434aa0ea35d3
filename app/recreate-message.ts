import { randomUUID } from 'node:crypto'
import { isUuid } from '#kit/server/uuid.ts'
import type { Trx } from '#kit/server/db.ts'
import { queuePhoneConfirmationMail } from '#features/account/server/contact-phone.mail.ts'
import { findPendingNumber } from '#features/account/server/contact-phone.store.ts'
import { issueVerificationToken } from '#features/auth/server/auth.ts'
import { queueResetLinks } from '#features/auth/server/password-reset.ts'
import { invalidateTokens } from '#features/auth/server/tokens.store.ts'
import { sendVerificationMail } from '#features/auth/server/verification.mail.ts'
import type { ResendRequest } from '#features/customers/server/customers.deps.ts'
import { findCreditNoteCode } from '#features/invoices/server/invoices.store.ts'
import { sendActivationMail } from '#features/orders/server/activation.mail.ts'
import type { DeliveredOrder } from '#features/orders/server/order-type.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { sendAddOnMail, sendRenewalMail } from '#features/orders/server/purchase.mail.ts'
import { isTransferOver } from '#features/porting/porting.states.ts'
import { sendPortMail } from '#features/porting/server/porting.mail.ts'
import { findPort, findPortOfOrder } from '#features/porting/server/porting.store.ts'
import { sendRefundMail } from '#features/refunds/server/refund.mail.ts'
import { findRefund } from '#features/refunds/server/refunds.store.ts'
import { findService } from '#features/services/server/services.store.ts'
import { copyMessage } from './copy-message.ts'
import type { Deps } from './deps.ts'

type ResendRejection = { why: string }
type MessageComposer = (trx: Trx, deps: Deps, wish: ResendRequest) => Promise<ResendRejection | null>

const subjectNotFoundRejection: ResendRejection = {
  why: 'This message can’t be sent again, because it’s about something that no longer exists.',
}
const alreadyConfirmedRejection: ResendRejection = {
  why: 'This email address is already confirmed, so there’s no link to send.',
}

async function findPurchase(trx: Trx, { ref, user }: ResendRequest): Promise<DeliveredOrder | null> {
  const order = isUuid(ref) ? await findOrder(trx, ref) : undefined
  if (!order?.service_id || order.user_id !== user.id || order.state !== 'completed') return null
  return { ...order, service_id: order.service_id, user_id: user.id }
}

const createPurchaseComposer =
  (send: (trx: Trx, deps: Deps, order: DeliveredOrder) => Promise<void>): MessageComposer =>
  async (trx, deps, wish) => {
    const order = await findPurchase(trx, wish)
    if (order) await send(trx, deps, order)
    return order ? null : subjectNotFoundRejection
  }

/**
 * Maps the first part of a message's event key to the function that composes the message again. Messages that contain a PIN have no such
 * function.
 */
const messageComposers: Readonly<Record<string, MessageComposer>> = {
  activation: createPurchaseComposer(async (trx, deps, order) => {
    await invalidateTokens(trx, order.user_id, ['verify'], deps.clock.now())
    await sendActivationMail(trx, deps, order, { port: await findPortOfOrder(trx, order.id), signedIn: true })
  }),
  renewal: createPurchaseComposer(sendRenewalMail),
  addon: createPurchaseComposer(sendAddOnMail),

  async refund(trx, deps, { ref, user }) {
    const refund = isUuid(ref) ? await findRefund(trx, ref) : undefined
    const order = refund && (await findOrder(trx, refund.order_id))
    if (refund?.state !== 'received' || order?.user_id !== user.id) return subjectNotFoundRejection
    await sendRefundMail(trx, deps, { order, refund, creditCode: await findCreditNoteCode(trx, refund.id) })
    return null
  },

  async port(trx, deps, { ref, user }) {
    const port = isUuid(ref) ? await findPort(trx, ref) : undefined
    const service = port && (await findService(trx, port.service_id))
    if (!port || !isTransferOver(port.status) || service?.user_id !== user.id) return subjectNotFoundRejection
    await sendPortMail(trx, deps, port)
    return null
  },

  async verify(trx, deps, { user }) {
    const now = deps.clock.now()
    if (user.email_verified_at) return alreadyConfirmedRejection
    await invalidateTokens(trx, user.id, ['verify'], now)
    const token = await issueVerificationToken(trx, user.id, now)
    if (token) await sendVerificationMail(trx, deps, user, token)
    return token ? null : alreadyConfirmedRejection
  },

  async 'password-reset'(trx, deps, { user }) {
    await queueResetLinks(trx, deps, [user], { requestId: randomUUID(), next: '/' })
    return null
  },

  async 'phone-link'(trx, deps, { user }) {
    const pendingNumber = await findPendingNumber(trx, user.id)
    if (!pendingNumber) return subjectNotFoundRejection
    await queuePhoneConfirmationMail(trx, deps, user, pendingNumber)
    return null
  },
}

/** Kinds of message that can be sent again only as a copy of what their row states. */
const copyOnlyKinds = ['auto-renewal', 'plan-life']
const contentNotStoredRejection: ResendRejection = {
  why: 'This message can’t be sent again, because the amounts and dates in it weren’t kept.',
}

export const hasMessageComposer = (kind: string): boolean => Object.hasOwn(messageComposers, kind)

export async function recreateMessage(trx: Trx, deps: Deps, wish: ResendRequest): Promise<ResendRejection | null> {
  const resendDeps = { ...deps, resendId: wish.again }
  if (wish.stated) return copyMessage(trx, resendDeps, wish)
  if (copyOnlyKinds.includes(wish.kind)) return contentNotStoredRejection
  const composer = hasMessageComposer(wish.kind) ? messageComposers[wish.kind] : undefined
  if (!composer)
    return {
      why:
        `A message of this kind (${wish.kind}) can’t be sent again, because it describes a past event or contains a PIN. ` +
        'To get a new PIN, the customer has to request it themselves.',
    }
  return composer(trx, resendDeps, wish)
}
