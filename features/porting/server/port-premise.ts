import type { Db, Trx } from '#kit/server/db.ts'
import { isOver } from '../porting.states.ts'
import { replyByOf, stepOf } from './port-progress.ts'
import { milestonesOfPort } from './porting-milestones.store.ts'
import type { PortingDeps } from './porting.deps.ts'
import { latestPort, type PortingRequest } from './porting.store.ts'

const prefix = 'port:'

/**
 * The condition for sending a message about a transfer: the transfer is its service's latest, and is in the state that
 * the message describes.
 */
export const premiseOfPort = ({ id, status }: PortingRequest, waitsFor: 'reply' | 'information' = 'reply'): string =>
  `${prefix}${id}:${isOver(status) ? status : waitsFor}`

export const isPremiseOfPort = (premise: string): boolean => premise.startsWith(prefix)

/**
 * The deadline for the customer's confirmation; `null` when no confirmation is awaited, or when the deadline has
 * passed.
 */
export async function awaitsYesUntil(
  db: Db | Trx,
  deps: Pick<PortingDeps, 'market' | 'stepOfPort'>,
  port: PortingRequest,
  now: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  if (isOver(port.status) || port.status === 'CANCELLING') return null
  const replyBy = replyByOf(stepOf(deps, port, await milestonesOfPort(db, port.id)))
  return replyBy && Temporal.Instant.compare(now, replyBy) < 0 ? replyBy : null
}

const asksForMore = async (
  db: Db | Trx,
  deps: Pick<PortingDeps, 'market' | 'stepOfPort'>,
  port: PortingRequest,
): Promise<boolean> =>
  port.status !== 'CANCELLING' && stepOf(deps, port, await milestonesOfPort(db, port.id)).step === 'information'

export async function premiseOfLatestPort(
  db: Db | Trx,
  deps: Pick<PortingDeps, 'market' | 'stepOfPort'>,
  serviceId: string,
  now: Temporal.Instant,
): Promise<string | null> {
  const port = await latestPort(db, serviceId)
  if (!port) return null
  if (isOver(port.status) || (await awaitsYesUntil(db, deps, port, now))) return premiseOfPort(port)
  return (await asksForMore(db, deps, port)) ? premiseOfPort(port, 'information') : null
}
