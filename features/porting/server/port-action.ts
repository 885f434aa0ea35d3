import type { Market } from '#kit/contract/bootstrap.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { type Limit, readLimitUse } from '#kit/server/limits.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { isTransferOver } from '../porting.states.ts'
import { getFailureReason } from './port-failure.ts'
import { getReplyDeadline, getCurrentStep } from './port-progress.ts'
import type { PortingDeps } from './porting.deps.ts'
import type { PortMilestone } from './porting-milestones.store.ts'
import { findLatestPort, type PortingRequest } from './porting.store.ts'

export type PendingCustomerAction =
  | { act: 'remind'; replyBy: Temporal.Instant }
  | { act: 'ask'; about: 'sim_number' | 'account_number' | 'no_reply' | 'said_no' | 'information' | 'unknown' }

type PortRules = Pick<PortingDeps, 'market' | 'stepOfPort' | 'failureOfPort'>

export function findPendingAction(
  rules: PortRules,
  port: PortingRequest,
  { milestones, now }: { milestones: readonly PortMilestone[]; now: Temporal.Instant },
): PendingCustomerAction | null {
  if (port.status === 'FAILED') {
    const reason = getFailureReason(rules, port)
    return { act: 'ask', about: reason && reason !== 'cancelled' ? reason : 'unknown' }
  }
  if (isTransferOver(port.status) || port.status === 'CANCELLING') return null
  const currentStep = getCurrentStep(rules, port, milestones)
  if (currentStep.step === 'information') return { act: 'ask', about: 'information' }
  const replyDeadline = getReplyDeadline(currentStep)
  return replyDeadline && Temporal.Instant.compare(now, replyDeadline) < 0
    ? { act: 'remind', replyBy: replyDeadline }
    : null
}

/**
 * Limits for each kind of message: how many a customer may get per day, and the minutes that must pass between two
 * messages about the same transfer.
 */
const maxMessagesPerDay = 3
const minIntervalMinutes = 10

export const messageLimits = (
  act: PendingCustomerAction['act'],
  port: PortingRequest,
  userId: string,
): [aDay: Limit, apart: Limit] => [
  { key: `port-${act}:${userId}`, times: maxMessagesPerDay, seconds: 86_400 },
  { key: `port-${act}-apart:${port.id}`, times: 1, seconds: 60 * minIntervalMinutes },
]

type PortParties = {
  port: PortingRequest
  service: { released_at: Date | null }
  user: Pick<User, 'id' | 'erased_at' | 'blocked_at'>
}

export async function findReasonNotToMessage(
  db: Db | Trx,
  { market }: { market: Pick<Market, 'code'> },
  ask: PendingCustomerAction,
  { port, service, user }: PortParties,
): Promise<string | null> {
  if (user.erased_at) return 'This customer has been erased.'
  if (service.released_at) return 'The customer no longer has the service that this transfer is for.'
  const latestTransfer = await findLatestPort(db, port.service_id)
  if (latestTransfer?.id !== port.id)
    return `The number was requested again. Contact the customer about ${latestTransfer?.external_id ?? ''} instead.`
  if (ask.act === 'ask' && ask.about === 'said_no')
    return 'Someone replied ‘No’. Call the customer first, and ask whether it was them.'
  // In New Zealand, a blocked customer can still confirm a transfer by text. Every other action requires a login.
  if (user.blocked_at && (ask.act === 'ask' || market.code === 'AU'))
    return 'This customer is blocked and can’t log in to correct the details.'
  const [dailyLimit, intervalLimit] = messageLimits(ask.act, port, user.id)
  if ((await readLimitUse(db, dailyLimit)).used >= dailyLimit.times)
    return `We contacted the customer about this ${maxMessagesPerDay} times in the last day. Call them instead.`
  if ((await readLimitUse(db, intervalLimit)).used >= intervalLimit.times)
    return `We contacted the customer less than ${minIntervalMinutes} minutes ago. Please give them time to read the message.`
  return null
}
