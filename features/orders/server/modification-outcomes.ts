import type { Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { endTasksAbout, reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { reportPayment } from './notified-payments.store.ts'
import { hasFailureOf } from './order-events.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import { type Attempt, isBeingGivenUp, noteCaptured, noteReleased } from './payments.store.ts'
import { endWaitingForCancels, isCancelAwaited, recordOutcomeOf } from './unconfirmed-calls.store.ts'

const cancelEvents = new Set(['CANCELLATION', 'TECHNICAL_CANCEL'])

/** The caller holds the payment's lock. */
export async function recordModification(
  trx: Trx,
  deps: OrderDeps,
  locked: Attempt,
  notification: CardNotification,
): Promise<void> {
  const { eventCode, success } = notification
  await recordOutcomeOf(trx, locked.reference, notification)
  await (cancelEvents.has(eventCode) ? recordCancel : recordCapture)(trx, locked, notification)
  deps.log.info({ attempt: locked.reference, event: eventCode, success }, 'the gateway reported')
}

async function recordCapture(trx: Trx, locked: Attempt, notification: CardNotification): Promise<void> {
  const { eventCode, success, reason } = notification
  const isCaptured = eventCode === 'CAPTURE' && success
  if (!isCaptured && isNeedlessCapture(locked, notification)) return
  await noteCaptured(trx, locked, isCaptured)
  if (!isCaptured) await reportPayment(trx, locked, `the capture of ${locked.reference} failed: ${reason}`)
}

function isNeedlessCapture(locked: Attempt, { eventCode, pspReference }: CardNotification): boolean {
  const { state, captured_at: capturedAt, capture_psp_reference: first } = locked
  const hasOtherTaken = eventCode === 'CAPTURE' && capturedAt !== null && first !== null && first !== pspReference
  return state === 'cancelled' || hasOtherTaken
}

async function recordCancel(trx: Trx, locked: Attempt, notification: CardNotification): Promise<void> {
  const { eventCode, success, reason } = notification
  if (isOfLateAuthorisation(locked, notification)) {
    if (success)
      return endTasksAbout(trx, { kind: 'payment', orderId: locked.order_id, subject: lateSubjectOf(locked) })
    return reportLateCancel(
      trx,
      locked,
      `${eventCode} of a late authorisation of ${locked.reference} failed: ${reason}`,
    )
  }
  if (success) {
    await noteReleased(trx, locked)
    await endWaitingForCancels(trx, locked.reference)
    return endTasksAbout(trx, { kind: 'payment', orderId: locked.order_id, subject: subjectOf(locked) })
  }
  if (await isCancelUndecided(trx, locked, eventCode)) return
  await reportFailedCancel(trx, locked, `${eventCode} of ${locked.reference} failed: ${reason}`)
}

/**
 * Whether the cancel was for a second authorisation of the payment. Its outcome says nothing about the first
 * authorisation.
 */
const isOfLateAuthorisation = ({ psp_reference: first }: Attempt, { eventCode, originalReference }: CardNotification) =>
  eventCode === 'CANCELLATION' && first !== null && originalReference !== '' && originalReference !== first

export const reportLateCancel = (trx: Trx, locked: Attempt, reason: string): Promise<void> =>
  reportToOperator(trx, { kind: 'payment', orderId: locked.order_id, subject: lateSubjectOf(locked), reason })

/** Whether another cancel of the same payment may still succeed. If it fails, too, its own failure is reported. */
async function isCancelUndecided(trx: Trx, locked: Attempt, eventCode: string): Promise<boolean> {
  if (await isCancelAwaited(trx, locked.reference)) return true
  // The technical cancel is repeated until the gateway answers. Its notification may arrive before that answer.
  const hasNoAnswer = eventCode !== 'TECHNICAL_CANCEL' && isBeingGivenUp(locked)
  return (
    hasNoAnswer &&
    !(await hasFailureOf(trx, { orderId: locked.order_id, name: 'TECHNICAL_CANCEL', since: locked.created_at }))
  )
}

export async function reportFailedCancel(trx: Trx, locked: Attempt, reason: string): Promise<void> {
  if (locked.released_at !== null) return
  await reportToOperator(trx, { kind: 'payment', orderId: locked.order_id, subject: subjectOf(locked), reason })
}

const lateSubjectOf = ({ reference }: Attempt): string => `late cancel of ${reference}`
const subjectOf = ({ reference }: Attempt): string => `cancel of ${reference}`
