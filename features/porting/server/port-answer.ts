import type { Actor } from '#kit/server/actor.ts'
import { toDate } from '#kit/server/clock.ts'
import type { Trx } from '#kit/server/db.ts'
import { backOff } from '#kit/server/retries.ts'
import type { CancelAnswer, KnownOrder, Milestone, NetworkAnswer } from '#providers/network/network.port.ts'
import { endUnusableAnswers, reportUnusableAnswer } from '#features/operator-tasks/server/unusable-answers.store.ts'
import { changeNumber } from '#features/services/server/services.store.ts'
import { isOver, type PortingEvent } from '../porting.states.ts'
import { tellEndByText, tellToReply } from './port-news.mail.ts'
import { awaitsYesUntil } from './port-premise.ts'
import type { PortingDeps } from './porting.deps.ts'
import { bounded, insertPortEvent, noteSilence } from './porting-events.store.ts'
import { sendPortMail } from './porting.mail.ts'
import { insertMilestones } from './porting-milestones.store.ts'
import { lockPort, movePort, type PortingRequest, retryPortIn, saveSubState } from './porting.store.ts'
import { freeNumber } from './reserved-numbers.store.ts'

type End = Extract<PortingEvent, 'completed' | 'failed' | 'cancelled'>

const ends = { COMPLETED: 'completed', FAILED: 'failed' } as const

export async function waitForAnswer(
  { db, clock }: Pick<PortingDeps, 'db' | 'clock'>,
  port: PortingRequest,
  answer: (NetworkAnswer | CancelAnswer) & { outcome: 'unknown' },
): Promise<void> {
  await noteSilence(db, port, answer.why, clock.now())
  const externalId = port.external_id
  const isOpen = async (trx: Trx): Promise<boolean> => {
    const now = await lockPort(trx, externalId)
    return now !== undefined && !isOver(now.status)
  }
  await reportUnusableAnswer(db, { externalId, what: 'transfer', isOpen }, answer)
  await retryPortIn(db, port, backOff(port.tries, 60))
}

/** Idempotent: only the first worker to record a response has an effect. */
export async function recordAnswer(
  trx: Trx,
  deps: PortingDeps,
  port: PortingRequest,
  answer: KnownOrder | (NetworkAnswer & { outcome: 'rejected' }),
): Promise<void> {
  const status = answer.outcome === 'rejected' ? 'FAILED' : deps.statusOfPortAnswer(answer)
  const subState = answer.outcome === 'rejected' ? null : bounded(answer.subState)
  const fault = answer.outcome === 'rejected' ? answer : answer.fault
  if (status === 'COMPLETED' || status === 'FAILED') {
    const said = { code: bounded(fault?.code), message: bounded(fault?.message) }
    return endTransfer(trx, deps, port, { event: ends[status], subState: subState ?? port.sub_state, ...said, answer })
  }
  await recordProgress(trx, deps, port, {
    submitted: status === 'SUBMITTED' && port.status === 'NEW',
    subState,
    answer,
  })
}

type Progress = { submitted: boolean; subState: string | null; answer: NetworkAnswer }

async function recordProgress(
  trx: Trx,
  deps: PortingDeps,
  port: PortingRequest,
  { submitted, subState, answer }: Progress,
): Promise<void> {
  await endUnusableAnswers(trx, { externalId: port.external_id })
  const isNews = submitted || subState !== port.sub_state
  const now = await (submitted
    ? movePort(trx, port, 'submitted', { sub_state: subState })
    : isNews
      ? saveSubState(trx, port, subState)
      : port)
  // Another worker has recorded a different response in the meantime.
  if (!now) return
  await retryPortIn(trx, now, submitted || port.tries < 10 ? 2 : 30)
  if (!isNews) return
  await insertPortEvent(trx, now, { event: 'answered' }, deps.clock.now())
  await insertMilestones(trx, now, { told: toldBy(answer), subState, now: deps.clock.now() })
  const replyBy = await awaitsYesUntil(trx, deps, now, deps.clock.now())
  if (replyBy) await tellToReply(trx, deps, now, replyBy)
}

const toldBy = (answer: NetworkAnswer | undefined): readonly Milestone[] =>
  answer?.outcome === 'known' ? (answer.milestones ?? []) : []

type Ended = {
  event: End
  subState: string | null
  code?: string | null
  message?: string | null
  actor?: Actor
  answer?: NetworkAnswer
}

/** Does nothing if another worker ended the transfer first. */
export async function endTransfer(trx: Trx, deps: PortingDeps, port: PortingRequest, end: Ended): Promise<void> {
  const { event, subState, code = null, message, actor } = end
  const now = deps.clock.now()
  const patch = { sub_state: subState, failure_code: code, ended_at: toDate(now) }
  const moved = await movePort(trx, port, event, patch)
  if (!moved) return
  if (!isOver(moved.status)) throw new Error(`a transfer that is ${moved.status} has not ended`)
  await endUnusableAnswers(trx, { externalId: port.external_id })
  if (event === 'completed') await changeNumber(trx, port.service_id, port.msisdn)
  await freeNumber(trx, port.service_id)
  await insertPortEvent(trx, moved, { event, code, message, actor }, now)
  await insertMilestones(trx, moved, { told: toldBy(end.answer), subState, now })
  await sendPortMail(trx, deps, moved)
  await tellEndByText(trx, deps, moved)
}
