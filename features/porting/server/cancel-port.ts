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

/** How a transfer that was to be called off stands. Of what is `impossible` nothing was written and nothing sent. */
export type CancelOutcome =
  | { outcome: 'cancelled' }
  /** The network's definite no: the transfer goes on. */
  | { outcome: 'refused'; code: string | null; message: string | null }
  /** It came through, or failed, before it could be called off. */
  | { outcome: 'over'; status: PortingStatus }
  /** The network has not said yet: it is asked on until it does. */
  | { outcome: 'undecided' }
  | { outcome: 'impossible'; why: string }

/**
 * Calls a transfer off, and waits a while for the network to say whether it still can be; the service keeps the number that it
 * has. One that has never left is over at once. Of any other the intent is committed before the network is asked.
 */
export async function cancelPort(deps: PortingDeps, externalId: string, actor: Actor): Promise<CancelOutcome> {
  const intent = await transact(deps.db, (trx) => intend(trx, deps, { externalId, actor }))
  if ('why' in intent) return { outcome: 'impossible', why: intent.why }
  if (intent.status !== 'CANCELLING') return { outcome: 'cancelled' }
  await followCancel(deps, intent)
  return outcomeOf(deps, intent)
}

/** Why there is nothing to call off; null where there is, and the network is to say whether it still can be. */
export const whyNotOff = ({ status }: Pick<PortingRequest, 'status'>): string | null =>
  isOver(status) ? (whyOver[status] ?? 'This transfer is over.') : null

const whyOver: Partial<Record<PortingStatus, string>> = {
  COMPLETED: 'This transfer is through: the number is here.',
  FAILED: 'This transfer has failed: there is nothing to call off.',
  CANCELLED: 'This transfer has been called off already.',
}

async function intend(
  trx: Trx,
  deps: PortingDeps,
  { externalId, actor }: { externalId: string; actor: Actor },
): Promise<PortingRequest | { why: string }> {
  const port = await lockPort(trx, externalId)
  if (!port) return { why: 'There is no such transfer.' }
  const why = whyNotOff(port)
  if (why) return { why }
  // Another has asked already: the same asking goes on.
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
  // Whoever is to ask next does it if this call dies.
  const patch = { cancel_asked_at: toDate(now), retry_at: soon(portRetries.leaseSeconds) }
  const moved = await movePort(trx, port, 'cancel', patch)
  if (!moved) throw new Error('a transfer was moved that was locked')
  await insertPortEvent(trx, moved, { event: 'cancel', actor }, now)
  return moved
}

const soon = (seconds: number): Date => toDate(realNow().add({ seconds }))

/** Asks the network to call a transfer off, or how that stands; repeated until it has decided. */
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
      // What never arrived is called off; what is on its way may yet arrive.
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

/** How long somebody waits for the network to decide, and how often we look, in milliseconds. */
const longestWaitMs = 10_000
const pollEveryMs = 150

/** What has come of an asking, as soon as it has: a worker asks on meanwhile. */
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
