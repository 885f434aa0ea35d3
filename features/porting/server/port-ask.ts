import type { Market } from '#kit/contract/bootstrap.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { type Limit, readUse } from '#kit/server/limits.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { isOver } from '../porting.states.ts'
import { reasonOf } from './port-failure.ts'
import { replyByOf, stepOf } from './port-progress.ts'
import type { PortingDeps } from './porting.deps.ts'
import type { PortMilestone } from './porting-milestones.store.ts'
import { latestPort, type PortingRequest } from './porting.store.ts'

export type PortAsk =
  | { act: 'remind'; replyBy: Temporal.Instant }
  | { act: 'ask'; about: 'sim_number' | 'account_number' | 'no_reply' | 'said_no' | 'information' | 'unknown' }

type Rules = Pick<PortingDeps, 'market' | 'stepOfPort' | 'failureOfPort'>

export function askOf(
  rules: Rules,
  port: PortingRequest,
  { milestones, now }: { milestones: readonly PortMilestone[]; now: Temporal.Instant },
): PortAsk | null {
  if (port.status === 'FAILED') {
    const reason = reasonOf(rules, port)
    return { act: 'ask', about: reason && reason !== 'cancelled' ? reason : 'unknown' }
  }
  if (isOver(port.status) || port.status === 'CANCELLING') return null
  const standing = stepOf(rules, port, milestones)
  if (standing.step === 'information') return { act: 'ask', about: 'information' }
  const replyBy = replyByOf(standing)
  return replyBy && Temporal.Instant.compare(now, replyBy) < 0 ? { act: 'remind', replyBy } : null
}

/** Limits per kind of message: so many a day per customer, and a minimum interval in minutes per transfer. */
const mostADay = 3
const apartMinutes = 10

export const askLimits = (act: PortAsk['act'], port: PortingRequest, userId: string): [aDay: Limit, apart: Limit] => [
  { key: `port-${act}:${userId}`, times: mostADay, seconds: 86_400 },
  { key: `port-${act}-apart:${port.id}`, times: 1, seconds: 60 * apartMinutes },
]

type Parties = {
  port: PortingRequest
  service: { released_at: Date | null }
  user: Pick<User, 'id' | 'erased_at' | 'blocked_at'>
}

export async function whyNotAsked(
  db: Db | Trx,
  { market }: { market: Pick<Market, 'code'> },
  ask: PortAsk,
  { port, service, user }: Parties,
): Promise<string | null> {
  if (user.erased_at) return 'This customer has been erased.'
  if (service.released_at) return 'The customer no longer has the service of this transfer.'
  const latest = await latestPort(db, port.service_id)
  if (latest?.id !== port.id)
    return `The number was requested again. Contact the customer about ${latest?.external_id ?? ''} instead.`
  if (ask.act === 'ask' && ask.about === 'said_no')
    return 'Someone replied ‘No’. Call the customer first, and ask whether it was them.'
  // In New Zealand, a blocked customer can still confirm by text. Every other step needs a login.
  if (user.blocked_at && (ask.act === 'ask' || market.code === 'AU'))
    return 'This customer is blocked and can’t log in to correct the details.'
  const [aDay, apart] = askLimits(ask.act, port, user.id)
  if ((await readUse(db, aDay)).used >= aDay.times)
    return `We contacted the customer about this ${mostADay} times in the last day. Call them instead.`
  if ((await readUse(db, apart)).used >= apart.times)
    return `We contacted the customer less than ${apartMinutes} minutes ago. Please give them time to read the message.`
  return null
}
