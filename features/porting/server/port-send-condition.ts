import type { Db, Trx } from '#kit/server/db.ts'
import { isTransferOver } from '../porting.states.ts'
import { getReplyDeadline, getCurrentStep } from './port-progress.ts'
import { findMilestonesOfPort } from './porting-milestones.store.ts'
import type { PortingDeps } from './porting.deps.ts'
import { findLatestPort, type PortingRequest } from './porting.store.ts'

const conditionPrefix = 'port:'

/**
 * The condition under which a message about a transfer is sent: the transfer must be its service's latest, and must be
 * in the state that the message describes.
 */
export const buildPortSendCondition = (
  { id, status }: PortingRequest,
  waitsFor: 'reply' | 'information' = 'reply',
): string => `${conditionPrefix}${id}:${isTransferOver(status) ? status : waitsFor}`

export const isPortSendCondition = (premise: string): boolean => premise.startsWith(conditionPrefix)

/**
 * The customer's deadline to confirm a transfer; `null` when no confirmation is awaited, or when the deadline has
 * passed.
 */
export async function findReplyDeadline(
  db: Db | Trx,
  deps: Pick<PortingDeps, 'market' | 'stepOfPort'>,
  port: PortingRequest,
  now: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  if (isTransferOver(port.status) || port.status === 'CANCELLING') return null
  const replyDeadline = getReplyDeadline(getCurrentStep(deps, port, await findMilestonesOfPort(db, port.id)))
  return replyDeadline && Temporal.Instant.compare(now, replyDeadline) < 0 ? replyDeadline : null
}

const isAwaitingInformation = async (
  db: Db | Trx,
  deps: Pick<PortingDeps, 'market' | 'stepOfPort'>,
  port: PortingRequest,
): Promise<boolean> =>
  port.status !== 'CANCELLING' &&
  getCurrentStep(deps, port, await findMilestonesOfPort(db, port.id)).step === 'information'

export async function buildLatestPortSendCondition(
  db: Db | Trx,
  deps: Pick<PortingDeps, 'market' | 'stepOfPort'>,
  serviceId: string,
  now: Temporal.Instant,
): Promise<string | null> {
  const port = await findLatestPort(db, serviceId)
  if (!port) return null
  if (isTransferOver(port.status) || (await findReplyDeadline(db, deps, port, now))) return buildPortSendCondition(port)
  return (await isAwaitingInformation(db, deps, port)) ? buildPortSendCondition(port, 'information') : null
}
