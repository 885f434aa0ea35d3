import { randomUUID } from 'node:crypto'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { tryCountLimitUse } from '#kit/server/limits.ts'
import { lockUser } from '#features/auth/server/users.store.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { findMessage, type Message } from '#features/messages/server/messages.store.ts'
import type { CustomersDeps } from './customers.deps.ts'
import type { ActionRefusal } from './locked-customer.ts'

/** Maximum resends per customer per day, for each kind of message. */
const maxResendsPerDay = 3

export type ResentMessage = {
  to: string
  /** Whether a copy with the original details was sent, instead of a message with current details. */
  is_copy: boolean
}

export const resendMessage = (
  deps: CustomersDeps,
  messageId: string,
  actor: Actor,
): Promise<ResentMessage | ActionRefusal> =>
  transact(deps.db, async (trx) => {
    const message = await findMessage(trx, messageId)
    if (!message) return { why: 'There is no message with this ID.' }
    const { user_id: userId, kind, ref, stated } = message
    const user = userId ? await lockUser(trx, userId) : undefined
    if (!userId || !user || !kind)
      return { why: 'This message can’t be sent again, because it isn’t linked to a customer.' }
    if (user.erased_at) return { why: 'This customer has been erased.' }
    if (await isMailStopped(trx, userId))
      return {
        why: 'The owner of this email address said that the account is not theirs, so we don’t send anything to it.',
      }
    const reasonNotSent = stated && explainNotSent(message)
    if (reasonNotSent) return { why: reasonNotSent }
    const limit = { key: `resend:${kind}:${userId}`, times: maxResendsPerDay, seconds: 86_400 }
    if (!(await tryCountLimitUse(trx, [limit])))
      return { why: `This message was already resent ${maxResendsPerDay} times in the last day. Try again tomorrow.` }
    const rejection = await deps.composeAgain(trx, { kind, ref: ref ?? '', user, again: randomUUID(), stated })
    if (rejection) return rejection
    await audit(trx, deps.clock, { event: 'message_resent', userId, actor, details: { message: messageId, kind } })
    return { to: user.email, is_copy: stated !== null }
  })

/** Returns why there is nothing to copy, or `null` if the message was sent, even if the recipient's server refused it. */
function explainNotSent({ sent_at: sent, refused_at: refused, dropped_at: dropped }: Message): string | null {
  if (sent || refused) return null
  return dropped
    ? 'This message was never sent, because it no longer applied.'
    : 'This message hasn’t been sent yet. It will be sent automatically.'
}
