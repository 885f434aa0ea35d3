import type { Trx } from '#kit/server/db.ts'
import type { CardNotification } from '#providers/card/card.port.ts'
import { endMatchingTasks, createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { reportPaymentTask } from './notified-payments.store.ts'
import { hasFailedNotification } from './order-events.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import {
  type Attempt,
  isTechnicalCancelBegun,
  recordCaptureNotification,
  recordReservationRelease,
} from './payments.store.ts'
import { deleteCancelRequests, isCancelAwaited, confirmGatewayRequests } from './unconfirmed-requests.store.ts'

const cancelEventCodes = new Set(['CANCELLATION', 'TECHNICAL_CANCEL'])

/** Records a capture's or cancel's outcome from its notification. The caller must hold the payment's lock. */
export async function recordModification(
  trx: Trx,
  deps: OrderDeps,
  locked: Attempt,
  notification: CardNotification,
): Promise<void> {
  const { eventCode, success } = notification
  await confirmGatewayRequests(trx, locked.reference, notification)
  await (cancelEventCodes.has(eventCode) ? recordCancel : recordCapture)(trx, locked, notification)
  deps.log.info({ attempt: locked.reference, event: eventCode, success }, 'the gateway reported')
}

async function recordCapture(trx: Trx, locked: Attempt, notification: CardNotification): Promise<void> {
  const { eventCode, success, reason } = notification
  const isCaptured = eventCode === 'CAPTURE' && success
  if (!isCaptured && isRedundantCapture(locked, notification)) return
  await recordCaptureNotification(trx, locked, isCaptured)
  if (!isCaptured) await reportPaymentTask(trx, locked, `the capture of ${locked.reference} failed: ${reason}`)
}

function isRedundantCapture(locked: Attempt, { eventCode, pspReference }: CardNotification): boolean {
  const { state, captured_at: capturedAt, capture_psp_reference: knownReference } = locked
  const isCapturedByOtherRequest =
    eventCode === 'CAPTURE' && capturedAt !== null && knownReference !== null && knownReference !== pspReference
  return state === 'cancelled' || isCapturedByOtherRequest
}

async function recordCancel(trx: Trx, locked: Attempt, notification: CardNotification): Promise<void> {
  const { eventCode, success, reason } = notification
  if (isLateAuthorisationCancel(locked, notification)) {
    if (success)
      return endMatchingTasks(trx, {
        kind: 'payment',
        orderId: locked.order_id,
        subject: getLateCancelTaskSubject(locked),
      })
    return reportLateCancel(
      trx,
      locked,
      `${eventCode} for a late authorisation of ${locked.reference} failed: ${reason}`,
    )
  }
  if (success) {
    await recordReservationRelease(trx, locked)
    await deleteCancelRequests(trx, locked.reference)
    return endMatchingTasks(trx, { kind: 'payment', orderId: locked.order_id, subject: getCancelTaskSubject(locked) })
  }
  if (await isCancelUndecided(trx, locked, eventCode)) return
  await reportFailedCancel(trx, locked, `${eventCode} of ${locked.reference} failed: ${reason}`)
}

/**
 * Whether the notification is about cancelling a second authorisation of the payment. That says nothing about the first
 * authorisation.
 */
const isLateAuthorisationCancel = (
  { psp_reference: first }: Attempt,
  { eventCode, originalReference }: CardNotification,
) => eventCode === 'CANCELLATION' && first !== null && originalReference !== '' && originalReference !== first

export const reportLateCancel = (trx: Trx, locked: Attempt, reason: string): Promise<void> =>
  createTask(trx, { kind: 'payment', orderId: locked.order_id, subject: getLateCancelTaskSubject(locked), reason })

/** Whether another cancel for the same payment may still succeed. If that one also fails, its own failure is reported. */
async function isCancelUndecided(trx: Trx, locked: Attempt, eventCode: string): Promise<boolean> {
  if (await isCancelAwaited(trx, locked.reference)) return true
  // The technical cancel is repeated until the gateway responds, and its notification may arrive before that response.
  const isOutcomeUnknown = eventCode !== 'TECHNICAL_CANCEL' && isTechnicalCancelBegun(locked)
  return (
    isOutcomeUnknown &&
    !(await hasFailedNotification(trx, {
      orderId: locked.order_id,
      name: 'TECHNICAL_CANCEL',
      since: locked.created_at,
    }))
  )
}

export async function reportFailedCancel(trx: Trx, locked: Attempt, reason: string): Promise<void> {
  if (locked.released_at !== null) return
  await createTask(trx, { kind: 'payment', orderId: locked.order_id, subject: getCancelTaskSubject(locked), reason })
}

const getLateCancelTaskSubject = ({ reference }: Attempt): string => `late cancel of ${reference}`
const getCancelTaskSubject = ({ reference }: Attempt): string => `cancel of ${reference}`
