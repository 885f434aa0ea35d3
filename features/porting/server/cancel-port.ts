import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { findService } from '#features/services/server/services.store.ts'
import { isOver, type PortingStatus } from '../porting.states.ts'
import { endTransfer, recordAnswer, waitForAnswer } from './port-answer.ts'
import type { PortingDeps } from './porting.deps.ts'
import { insertPortEvent, listPortEvents } from './porting-events.store.ts'
import {
  findPortByExternalId,
  isBeingHandedIn,
  lockPort,
  movePort,
  portRetries,
  type PortingRequest,
  retryPortIn,
} from './porting.store.ts'

/** The result of a cancellation. With `impossible`, nothing was written and nothing was sent. */
export type CancelOutcome =
  | { outcome: 'cancelled' }
  /** The network definitely refused the cancellation, and the transfer goes on. */
  | { outcome: 'refused'; code: string | null; message: string | null }
  | { outcome: 'over'; status: PortingStatus }
  /** The network has not decided yet. A job keeps polling until it does. */
  | { outcome: 'undecided' }
  | { outcome: 'impossible'; why: string }

/**
 * Cancels a transfer, and waits up to ten seconds for the network's decision. The service keeps its current number. A
 * transfer that was never submitted is cancelled at once. For any other, the intent is committed before the network is
 * called.
 */
export async function cancelPort(deps: PortingDeps, externalId: string, actor: Actor): Promise<CancelOutcome> {
  const intent = await transact(deps.db, (trx) => intend(trx, deps, { externalId, actor }))
  if ('why' in intent) return { outcome: 'impossible', why: intent.why }
  if (intent.status !== 'CANCELLING') return { outcome: 'cancelled' }
  await followCancel(deps, intent)
  return outcomeOf(deps, intent)
}

export const whyNotOff = ({ status }: Pick<PortingRequest, 'status'>): string | null =>
  isOver(status) ? (whyOver[status] ?? 'This transfer is over.') : null

const whyOver: Partial<Record<PortingStatus, string>> = {
  COMPLETED: 'This transfer is complete: the number is with us.',
  FAILED: 'This transfer has failed, so there is nothing to cancel.',
  CANCELLED: 'This transfer was already cancelled.',
}

async function intend(
  trx: Trx,
  deps: PortingDeps,
  { externalId, actor }: { externalId: string; actor: Actor },
): Promise<PortingRequest | { why: string }> {
  const port = await lockPort(trx, externalId)
  if (!port) return { why: 'No transfer found.' }
  const why = whyNotOff(port)
  if (why) return { why }
  // A cancellation is in flight already; this request joins it.
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
  // The lease lets a worker take over if this process dies.
  const patch = { cancel_asked_at: toDate(now), retry_at: soon(portRetries.leaseSeconds) }
  const moved = await movePort(trx, port, 'cancel', patch)
  if (!moved) throw new Error('a transfer was moved that was locked')
  await insertPortEvent(trx, moved, { event: 'cancel', actor }, now)
  return moved
}

const soon = (seconds: number): Date => toDate(realNow().add({ seconds }))

export async function followCancel(deps: PortingDeps, port: PortingRequest): Promise<void> {
  const { external_id: externalId, cancel_asked_at: askedAt } = port
  if (!askedAt) throw new Error(`nobody asked to call ${externalId} off`)
  const answer = await deps.network.cancel({ externalId, askedAt: askedAt.toISOString() })
  const now = deps.clock.now()
  switch (answer.outcome) {
    case 'unknown':
      return waitForAnswer(deps, port, answer)
    case 'undecided':
      return retryPortIn(deps.db, port, port.tries < 10 ? 2 : 30)
    case 'absent':
      // A transfer that never reached the network is cancelled here. A submission still in flight may yet reach it.
      if (isBeingHandedIn(port)) return retryPortIn(deps.db, port, 5)
      return transact(deps.db, (trx) => endTransfer(trx, deps, port, { event: 'cancelled', subState: port.sub_state }))
    case 'cancelled':
      return transact(deps.db, (trx) => endTransfer(trx, deps, port, { event: 'cancelled', subState: 'cancelled' }))
    case 'refused':
      return transact(deps.db, async (trx) => {
        const moved = await movePort(trx, port, 'cancel_refused', { retry_at: soon(2) })
        const { code, message } = answer
        if (moved) await insertPortEvent(trx, moved, { event: 'cancel_refused', code, message }, now)
      })
    case 'known':
      return transact(deps.db, (trx) => recordAnswer(trx, deps, port, answer))
  }
}

const longestWaitMs = 10_000
const pollEveryMs = 150

async function outcomeOf(deps: PortingDeps, asked: PortingRequest): Promise<CancelOutcome> {
  const end = performance.now() + longestWaitMs
  for (;;) {
    const port = await findPortByExternalId(deps.db, asked.external_id)
    if (!port) throw new Error(`${asked.external_id} is gone`)
    if (port.status === 'CANCELLED') return { outcome: 'cancelled' }
    const since = asked.cancel_asked_at ? fromDate(asked.cancel_asked_at) : deps.clock.now()
    const refusal = (await listPortEvents(deps.db, port.id)).findLast(
      ({ event, at }) => event === 'cancel_refused' && Temporal.Instant.compare(fromDate(at), since) >= 0,
    )
    if (refusal) return { outcome: 'refused', code: refusal.code, message: refusal.message }
    if (port.status !== 'CANCELLING') return { outcome: 'over', status: port.status }
    if (performance.now() >= end) return { outcome: 'undecided' }
    await pause(pollEveryMs)
  }
}
