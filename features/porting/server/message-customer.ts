import { randomUUID } from 'node:crypto'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { tryCountLimitUse } from '#kit/server/limits.ts'
import { lockUser } from '#features/auth/server/users.store.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { findService } from '#features/services/server/services.store.ts'
import { messageLimits, findPendingAction, type PendingCustomerAction, findReasonNotToMessage } from './port-action.ts'
import { sendActionRequest } from './port-action.mail.ts'
import { sendReplyRequest } from './port-messages.mail.ts'
import type { PortingDeps } from './porting.deps.ts'
import { insertPortEvent } from './porting-events.store.ts'
import { findMilestonesOfPort } from './porting-milestones.store.ts'
import { findPortByExternalId, lockPort } from './porting.store.ts'

/** `own` is the phone number that received the text; `byMail` says whether an email was sent as well. */
export type CustomerMessageOutcome = { own: string; byMail: boolean; ask: PendingCustomerAction } | { why: string }

const transferNotFoundResult = { why: 'No transfer found.' }
const noPendingActionMessages = {
  remind: 'This transfer isn’t waiting for the customer’s reply.',
  ask: 'There is nothing for the customer to correct in this transfer.',
}

/**
 * Messages a customer about their number transfer. The messages go only to the phone number and the email address on
 * file.
 */
export const messageCustomerAboutPort = (
  deps: PortingDeps,
  { externalId, act }: { externalId: string; act: PendingCustomerAction['act'] },
  actor: Actor,
): Promise<CustomerMessageOutcome> =>
  transact(deps.db, async (trx) => {
    const found = await findPortByExternalId(trx, externalId)
    const service = found && (await findService(trx, found.service_id))
    // Lock order: the user before the transfer, as everywhere else. Concurrent staff requests wait here.
    const user = service && (await lockUser(trx, service.user_id))
    const port = user && (await lockPort(trx, externalId))
    if (!port) return transferNotFoundResult
    const now = deps.clock.now()
    const pendingAction = findPendingAction(deps, port, { milestones: await findMilestonesOfPort(trx, port.id), now })
    if (pendingAction?.act !== act) return { why: noPendingActionMessages[act] }
    const rejectionReason = await findReasonNotToMessage(trx, deps, pendingAction, { port, service, user })
    if (rejectionReason) return { why: rejectionReason }
    if (!(await tryCountLimitUse(trx, messageLimits(act, port, user.id))))
      throw new Error('a limit was used up under its lock')
    await sendCustomerMessage(trx, { ...deps, resendId: randomUUID() }, { port, ask: pendingAction })
    const isMailSent = !(await isMailStopped(trx, user.id))
    const message = isMailSent ? 'by text and mail' : 'by text'
    await insertPortEvent(trx, port, { event: act === 'remind' ? 'reminded' : 'asked', actor, message }, now)
    await audit(trx, deps.clock, {
      event: act === 'remind' ? 'number_transfer_reminded' : 'number_transfer_asked',
      userId: user.id,
      actor,
      details: { transfer: externalId },
    })
    return { own: service.msisdn, byMail: isMailSent, ask: pendingAction }
  })

type CustomerMessage = { port: Parameters<typeof sendReplyRequest>[2]; ask: PendingCustomerAction }

const sendCustomerMessage = (
  trx: Trx,
  deps: Parameters<typeof sendActionRequest>[1],
  { port, ask }: CustomerMessage,
): Promise<void> =>
  ask.act === 'remind' ? sendReplyRequest(trx, deps, port, ask.replyBy) : sendActionRequest(trx, deps, port, ask.about)
