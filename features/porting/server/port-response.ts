import type { Actor } from '#kit/server/actor.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { computeBackOffSeconds } from '#kit/server/retry-queue.ts'
import type { CancellationOutcome, KnownOrder, Milestone, NetworkAnswer } from '#providers/network/network.port.ts'
import {
  endUnusableResponseTasks,
  reportUnusableResponse,
} from '#features/operator-tasks/server/unusable-responses.store.ts'
import { changeNumber } from '#features/services/server/services.store.ts'
import { isTransferOver, type PortingEvent } from '../porting.states.ts'
import { sendPortEndSms, sendReplyRequest } from './port-messages.mail.ts'
import { findReplyDeadline } from './port-send-condition.ts'
import type { PortingDeps } from './porting.deps.ts'
import { truncateText, insertPortEvent, recordNoResponseEvent } from './porting-events.store.ts'
import { sendPortMail } from './porting.mail.ts'
import { insertMilestones } from './porting-milestones.store.ts'
import { lockPort, transitionPort, type PortingRequest, schedulePortRetry, saveSubState } from './porting.store.ts'
import { releaseNumber } from './reserved-numbers.store.ts'

type TransferEndEvent = Extract<PortingEvent, 'completed' | 'failed' | 'cancelled'>

const endEventByStatus = { COMPLETED: 'completed', FAILED: 'failed' } as const

export async function recordNoResponse(
  { db, clock }: Pick<PortingDeps, 'db' | 'clock'>,
  port: PortingRequest,
  answer: (NetworkAnswer | CancellationOutcome) & { outcome: 'unknown' },
): Promise<void> {
  await recordNoResponseEvent(db, port, answer.why, clock.now())
  const externalId = port.external_id
  const isOpen = async (trx: Trx): Promise<boolean> => {
    const currentPort = await lockPort(trx, externalId)
    return currentPort !== undefined && !isTransferOver(currentPort.status)
  }
  await reportUnusableResponse(db, { externalId, what: 'transfer', isOpen }, answer)
  await schedulePortRetry(db, port, computeBackOffSeconds(port.tries, 60))
}

/**
 * Records the network's response about a transfer. Idempotent: only the first worker to record a response has any
 * effect.
 */
export async function recordPortResponse(
  trx: Trx,
  deps: PortingDeps,
  port: PortingRequest,
  answer: KnownOrder | (NetworkAnswer & { outcome: 'rejected' }),
): Promise<void> {
  const status = answer.outcome === 'rejected' ? 'FAILED' : deps.statusOfPortAnswer(answer)
  const subState = answer.outcome === 'rejected' ? null : truncateText(answer.subState)
  const fault = answer.outcome === 'rejected' ? answer : answer.fault
  if (status === 'COMPLETED' || status === 'FAILED') {
    const faultFields = { code: truncateText(fault?.code), message: truncateText(fault?.message) }
    return endTransfer(trx, deps, port, {
      event: endEventByStatus[status],
      subState: subState ?? port.sub_state,
      ...faultFields,
      answer,
    })
  }
  await recordProgress(trx, deps, port, {
    submitted: status === 'SUBMITTED' && port.status === 'NEW',
    subState,
    answer,
  })
}

type ReportedProgress = { submitted: boolean; subState: string | null; answer: NetworkAnswer }

async function recordProgress(
  trx: Trx,
  deps: PortingDeps,
  port: PortingRequest,
  { submitted, subState, answer }: ReportedProgress,
): Promise<void> {
  await endUnusableResponseTasks(trx, { externalId: port.external_id })
  const hasChanged = submitted || subState !== port.sub_state
  const updatedPort = await (submitted
    ? transitionPort(trx, port, 'submitted', { sub_state: subState })
    : hasChanged
      ? saveSubState(trx, port, subState)
      : port)
  // Another worker has recorded a different response in the meantime.
  if (!updatedPort) return
  await schedulePortRetry(trx, updatedPort, submitted || port.tries < 10 ? 2 : 30)
  if (!hasChanged) return
  await insertPortEvent(trx, updatedPort, { event: 'answered' }, deps.clock.now())
  await insertMilestones(trx, updatedPort, { told: getMilestones(answer), subState, now: deps.clock.now() })
  const replyDeadline = await findReplyDeadline(trx, deps, updatedPort, deps.clock.now())
  if (replyDeadline) await sendReplyRequest(trx, deps, updatedPort, replyDeadline)
}

const getMilestones = (answer: NetworkAnswer | undefined): readonly Milestone[] =>
  answer?.outcome === 'known' ? (answer.milestones ?? []) : []

type TransferEnd = {
  event: TransferEndEvent
  subState: string | null
  code?: string | null
  message?: string | null
  actor?: Actor
  answer?: NetworkAnswer
}

/** Ends a number transfer. Does nothing if another worker has already ended it. */
export async function endTransfer(trx: Trx, deps: PortingDeps, port: PortingRequest, end: TransferEnd): Promise<void> {
  const { event, subState, code = null, message, actor } = end
  const now = deps.clock.now()
  const patch = { sub_state: subState, failure_code: code, ended_at: toDate(now) }
  const endedPort = await transitionPort(trx, port, event, patch)
  if (!endedPort) return
  if (!isTransferOver(endedPort.status)) throw new Error(`a transfer that is ${endedPort.status} has not ended`)
  await endUnusableResponseTasks(trx, { externalId: port.external_id })
  if (event === 'completed') await changeNumber(trx, port.service_id, port.msisdn)
  await releaseNumber(trx, port.service_id)
  await insertPortEvent(trx, endedPort, { event, code, message, actor }, now)
  await insertMilestones(trx, endedPort, { told: getMilestones(end.answer), subState, now })
  await sendPortMail(trx, deps, endedPort)
  await sendPortEndSms(trx, deps, endedPort)
}
