import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { findService } from '#features/services/server/services.store.ts'
import { isTransferOver, type PortingStatus } from '../porting.states.ts'
import { endTransfer, recordPortResponse, recordNoResponse } from './port-response.ts'
import type { PortingDeps } from './porting.deps.ts'
import { insertPortEvent, listPortEvents } from './porting-events.store.ts'
import {
  findPortByExternalId,
  isBeingSubmitted,
  lockPort,
  transitionPort,
  portQueue,
  type PortingRequest,
  schedulePortRetry,
} from './porting.store.ts'

/** The result of cancelling a number transfer. `impossible` means that nothing was written or sent. */
export type CancelOutcome =
  | { outcome: 'cancelled' }
  /** The network definitely refused the cancellation, so the transfer continues. */
  | { outcome: 'refused'; code: string | null; message: string | null }
  | { outcome: 'over'; status: PortingStatus }
  /** The network has not decided on the cancellation yet. A job polls until the network decides. */
  | { outcome: 'undecided' }
  | { outcome: 'impossible'; why: string }

/**
 * Cancels a number transfer, and waits up to ten seconds for the network's decision. The service keeps its current
 * number. A transfer that was never submitted is cancelled at once. Otherwise, the cancellation is committed before the
 * network is called.
 */
export async function cancelPort(deps: PortingDeps, externalId: string, actor: Actor): Promise<CancelOutcome> {
  const cancelIntent = await transact(deps.db, (trx) => recordCancelIntent(trx, deps, { externalId, actor }))
  if ('why' in cancelIntent) return { outcome: 'impossible', why: cancelIntent.why }
  if (cancelIntent.status !== 'CANCELLING') return { outcome: 'cancelled' }
  await requestNetworkCancel(deps, cancelIntent)
  return awaitCancelOutcome(deps, cancelIntent)
}

export const findReasonNotToCancelPort = ({ status }: Pick<PortingRequest, 'status'>): string | null =>
  isTransferOver(status) ? (transferOverReasons[status] ?? 'This transfer has ended.') : null

const transferOverReasons: Partial<Record<PortingStatus, string>> = {
  COMPLETED: 'This transfer is complete: the number is with us.',
  FAILED: 'This transfer has failed, so there is nothing to cancel.',
  CANCELLED: 'This transfer was already cancelled.',
}

async function recordCancelIntent(
  trx: Trx,
  deps: PortingDeps,
  { externalId, actor }: { externalId: string; actor: Actor },
): Promise<PortingRequest | { why: string }> {
  const port = await lockPort(trx, externalId)
  if (!port) return { why: 'No transfer found.' }
  const rejectionReason = findReasonNotToCancelPort(port)
  if (rejectionReason) return { why: rejectionReason }
  // Another request has already started the cancellation, so this one waits for the same result.
  if (port.status === 'CANCELLING') return port
  const now = deps.clock.now()
  const service = await findService(trx, port.service_id)
  await audit(trx, deps.clock, {
    event: 'number_transfer_cancel_requested',
    userId: service?.user_id,
    actor,
    details: { transfer: externalId },
  })
  if (port.status === 'NEW' && port.handed_in_at === null) {
    await endTransfer(trx, deps, port, { event: 'cancelled', subState: null, actor })
    return { ...port, status: 'CANCELLED' }
  }
  // The lease lets another worker take over the cancellation if this process dies.
  const patch = { cancel_asked_at: toDate(now), retry_at: addSecondsToNow(portQueue.leaseSeconds) }
  const updatedPort = await transitionPort(trx, port, 'cancel', patch)
  if (!updatedPort) throw new Error('a transfer was moved that was locked')
  await insertPortEvent(trx, updatedPort, { event: 'cancel', actor }, now)
  return updatedPort
}

const addSecondsToNow = (seconds: number): Date => toDate(realNow().add({ seconds }))

export async function requestNetworkCancel(deps: PortingDeps, port: PortingRequest): Promise<void> {
  const { external_id: externalId, cancel_asked_at: askedAt } = port
  if (!askedAt) throw new Error(`nobody asked to call ${externalId} off`)
  const cancelResponse = await deps.network.cancel({ externalId, askedAt: askedAt.toISOString() })
  const now = deps.clock.now()
  switch (cancelResponse.outcome) {
    case 'unknown':
      return recordNoResponse(deps, port, cancelResponse)
    case 'undecided':
      return schedulePortRetry(deps.db, port, port.tries < 10 ? 2 : 30)
    case 'absent':
      /*
       * The network does not know the transfer, so cancel it here, unless a submission in flight may still reach the
       * network.
       */
      if (isBeingSubmitted(port)) return schedulePortRetry(deps.db, port, 5)
      return transact(deps.db, (trx) => endTransfer(trx, deps, port, { event: 'cancelled', subState: port.sub_state }))
    case 'cancelled':
      return transact(deps.db, (trx) => endTransfer(trx, deps, port, { event: 'cancelled', subState: 'cancelled' }))
    case 'refused':
      return transact(deps.db, async (trx) => {
        const moved = await transitionPort(trx, port, 'cancel_refused', { retry_at: addSecondsToNow(2) })
        const { code, message } = cancelResponse
        if (moved) await insertPortEvent(trx, moved, { event: 'cancel_refused', code, message }, now)
      })
    case 'known':
      return transact(deps.db, (trx) => recordPortResponse(trx, deps, port, cancelResponse))
  }
}

const maxWaitMs = 10_000
const pollIntervalMs = 150

async function awaitCancelOutcome(deps: PortingDeps, cancelledPort: PortingRequest): Promise<CancelOutcome> {
  const deadline = performance.now() + maxWaitMs
  for (;;) {
    const port = await findPortByExternalId(deps.db, cancelledPort.external_id)
    if (!port) throw new Error(`${cancelledPort.external_id} is gone`)
    if (port.status === 'CANCELLED') return { outcome: 'cancelled' }
    const since = cancelledPort.cancel_asked_at ? fromDate(cancelledPort.cancel_asked_at) : deps.clock.now()
    const refusalEvent = (await listPortEvents(deps.db, port.id)).findLast(
      ({ event, at }) => event === 'cancel_refused' && Temporal.Instant.compare(fromDate(at), since) >= 0,
    )
    if (refusalEvent) return { outcome: 'refused', code: refusalEvent.code, message: refusalEvent.message }
    if (port.status !== 'CANCELLING') return { outcome: 'over', status: port.status }
    if (performance.now() >= deadline) return { outcome: 'undecided' }
    await pause(pollIntervalMs)
  }
}
