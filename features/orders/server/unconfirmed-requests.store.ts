import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Clock, fromDate, realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { RetryQueue } from '#kit/server/retry-queue.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { endMatchingTasks } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { type Attempt, listPaymentNotifications } from './payments.store.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    unconfirmed_calls: UnconfirmedRequestTable
  }
}

const outcomeEventsByKind = {
  capture: ['CAPTURE', 'CAPTURE_FAILED'],
  cancel: ['CANCELLATION'],
  technicalCancel: ['TECHNICAL_CANCEL'],
  refund: ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED'],
}
type GatewayRequestKind = keyof typeof outcomeEventsByKind

type UnconfirmedRequestTable = {
  id: string
  order_id: string
  kind: GatewayRequestKind
  payment: string
  reference: string
  original_reference: string
  idempotency_key: string
  amount_cents: number
  currency: string
  psp_reference: string
  acknowledged_at: Date
  step: 'ask' | 'report'
  due_at: Date | null
  retry_at: Date | null
  tries: number
}
export type UnconfirmedRequest = Selectable<UnconfirmedRequestTable>

/** The queue that repeats unconfirmed gateway requests. Its lease is longer than the timeout for such a request. */
export const unconfirmedRequestQueue: RetryQueue = {
  queue: 'orders.ask-again',
  table: 'unconfirmed_calls',
  key: 'id',
  leaseSeconds: 15,
  countsFailures: true,
}

type ConfirmationDeps = { clock: Clock; thresholds: Pick<Thresholds, 'askAgainHours'> }
type AcknowledgedRequest = Pick<
  UnconfirmedRequest,
  | 'order_id'
  | 'kind'
  | 'payment'
  | 'reference'
  | 'original_reference'
  | 'idempotency_key'
  | 'amount_cents'
  | 'currency'
  | 'psp_reference'
>

const getPaymentFields = (
  { order_id, reference: payment, amount_cents, currency }: Attempt,
  pspReference: string,
): Pick<AcknowledgedRequest, 'order_id' | 'payment' | 'amount_cents' | 'currency' | 'psp_reference'> => ({
  order_id,
  payment,
  amount_cents,
  currency,
  psp_reference: pspReference,
})

// The functions below describe each gateway request exactly as it was sent, so that a repeated request is identical.

export const createCaptureRequest = (attempt: Attempt, pspReference: string): AcknowledgedRequest => ({
  ...getPaymentFields(attempt, pspReference),
  kind: 'capture',
  reference: attempt.reference,
  original_reference: attempt.psp_reference ?? '',
  idempotency_key: `${attempt.idempotency_key}-c`,
})

export const createCancelRequest = (attempt: Attempt, pspReference: string): AcknowledgedRequest => ({
  ...getPaymentFields(attempt, pspReference),
  kind: 'cancel',
  reference: `${attempt.reference}-cancel`,
  original_reference: attempt.psp_reference ?? '',
  idempotency_key: `${attempt.idempotency_key}-x`,
})

export const createTechnicalCancelRequest = (attempt: Attempt, pspReference: string): AcknowledgedRequest => ({
  ...getPaymentFields(attempt, pspReference),
  kind: 'technicalCancel',
  reference: `${attempt.reference}-cancel`,
  original_reference: attempt.reference,
  idempotency_key: `${attempt.idempotency_key}-tc`,
})

export const createLateCancelRequest = (
  attempt: Attempt,
  authorisation: string,
  pspReference: string,
): AcknowledgedRequest => ({
  ...getPaymentFields(attempt, pspReference),
  kind: 'cancel',
  reference: `${attempt.reference}-late`,
  original_reference: authorisation,
  idempotency_key: `${attempt.idempotency_key}-late`,
})

export const createGatewayRefundRequest = (
  attempt: Attempt,
  refund: { reference: string; idempotency_key: string; amount_cents: number },
  pspReference: string,
): AcknowledgedRequest => ({
  ...getPaymentFields(attempt, pspReference),
  kind: 'refund',
  reference: refund.reference,
  original_reference: attempt.psp_reference ?? '',
  idempotency_key: refund.idempotency_key,
  amount_cents: refund.amount_cents,
})

/**
 * Stores a request that the gateway has acknowledged, until its notification arrives. Does nothing if the notification has already arrived.
 * Call this in the transaction that records the response, while holding the payment's lock, so that the response and the notification are
 * serialised.
 */
export async function recordUnconfirmedRequest(
  trx: Trx,
  { clock, thresholds }: ConfirmationDeps,
  call: AcknowledgedRequest,
): Promise<void> {
  if (await isNotificationReceived(trx, call)) return
  await trx
    .insertInto('unconfirmed_calls')
    .values({
      ...call,
      id: randomUUID(),
      acknowledged_at: toDate(realNow()),
      step: 'ask',
      due_at: toDate(clock.now().add({ hours: thresholds.askAgainHours })),
      retry_at: null,
      tries: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Whether the notification about a gateway request has arrived. This function reads the recorded notifications, because a process running
 * an older version does not update this table.
 */
export async function isNotificationReceived(
  trx: Trx,
  { kind, psp_reference: pspReference }: Pick<UnconfirmedRequest, 'kind' | 'psp_reference'>,
): Promise<boolean> {
  return (await listPaymentNotifications(trx, pspReference)).some(({ event_code: event }) =>
    outcomeEventsByKind[kind].includes(event),
  )
}

export const buildTaskSubject = ({ kind, reference }: Pick<UnconfirmedRequest, 'kind' | 'reference'>): string =>
  `${kind} ${reference}`

export const getTaskKind = ({ kind }: Pick<UnconfirmedRequest, 'kind'>): 'refund' | 'payment' =>
  kind === 'refund' ? 'refund' : 'payment'

async function deleteConfirmedRequests(trx: Trx, calls: UnconfirmedRequest[]): Promise<void> {
  for (const call of calls) {
    await trx.deleteFrom('unconfirmed_calls').where('id', '=', call.id).execute()
    await endMatchingTasks(trx, { kind: getTaskKind(call), orderId: call.order_id, subject: buildTaskSubject(call) })
  }
}

/** Deletes the stored gateway requests that a notification confirms. A refund is confirmed only by a notification that names it. */
export async function confirmGatewayRequests(
  trx: Trx,
  payment: string,
  { eventCode, pspReference }: { eventCode: string; pspReference: string },
  reference?: string,
): Promise<void> {
  const kind = (Object.keys(outcomeEventsByKind) as GatewayRequestKind[]).find((each) =>
    outcomeEventsByKind[each].includes(eventCode),
  )
  if (!kind) return
  const calls = await trx
    .selectFrom('unconfirmed_calls')
    .selectAll()
    .where('payment', '=', payment)
    .where('kind', '=', kind)
    .forUpdate()
    .execute()
  const referencedRequests = calls.filter((call) => call.psp_reference === pspReference || call.reference === reference)
  await deleteConfirmedRequests(trx, referencedRequests.length > 0 || kind === 'refund' ? referencedRequests : calls)
}

const cancelRequestsQuery = (trx: Trx, payment: string) =>
  trx
    .selectFrom('unconfirmed_calls')
    .selectAll()
    .where('payment', '=', payment)
    .where('kind', 'in', ['cancel', 'technicalCancel'])

export const isCancelAwaited = async (trx: Trx, payment: string): Promise<boolean> =>
  (await cancelRequestsQuery(trx, payment).limit(1).executeTakeFirst()) !== undefined

/** Once a payment's money has been released, deletes its stored cancel requests, because their outcomes no longer matter. */
export const deleteCancelRequests = async (trx: Trx, payment: string): Promise<void> =>
  deleteConfirmedRequests(trx, await cancelRequestsQuery(trx, payment).forUpdate().execute())

/**
 * Locks the stored gateway requests that are due. Skips requests that another process has locked, and requests that were acknowledged
 * recently, because their notification may arrive at any moment.
 */
export const lockDueRequests = (
  trx: Trx,
  { now, notificationTransitMs }: { now: Temporal.Instant; notificationTransitMs: number },
): Promise<UnconfirmedRequest[]> =>
  trx
    .selectFrom('unconfirmed_calls')
    .selectAll()
    .where('due_at', '<=', toDate(now))
    .where('acknowledged_at', '<=', toDate(realNow().subtract({ milliseconds: notificationTransitMs })))
    .orderBy('due_at')
    .limit(50)
    .forUpdate()
    .skipLocked()
    .execute()

export async function findNextUnconfirmedRequest(
  db: Db,
  notificationTransitMs: number,
): Promise<Temporal.Instant | null> {
  const row = await db
    .selectFrom('unconfirmed_calls')
    .select('due_at')
    .where('due_at', 'is not', null)
    .where('acknowledged_at', '<=', toDate(realNow().subtract({ milliseconds: notificationTransitMs })))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ? fromDate(row.due_at) : null
}

/**
 * Schedules the next step for a locked gateway request. The caller must queue the job; until the retry time, only that job processes the
 * request.
 */
export async function scheduleRequestStep(
  trx: Trx,
  { id }: UnconfirmedRequest,
  next: { step: UnconfirmedRequest['step']; dueAt: Temporal.Instant | null },
): Promise<void> {
  await trx
    .updateTable('unconfirmed_calls')
    .set({
      step: next.step,
      due_at: next.dueAt && toDate(next.dueAt),
      retry_at: toDate(realNow().add({ seconds: unconfirmedRequestQueue.leaseSeconds })),
      tries: 0,
    })
    .where('id', '=', id)
    .execute()
}

export const findUnconfirmedRequest = (db: Db, id: string): Promise<UnconfirmedRequest | undefined> =>
  db.selectFrom('unconfirmed_calls').selectAll().where('id', '=', id).executeTakeFirst()

export async function stopRepeatingRequest(trx: Db | Trx, { id }: UnconfirmedRequest): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('unconfirmed_calls')
    .set({ retry_at: null })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteConfirmedRequest = (trx: Trx, call: UnconfirmedRequest): Promise<void> =>
  deleteConfirmedRequests(trx, [call])

export async function isCaptureUnconfirmed(db: Db, payment: string): Promise<boolean> {
  const row = await db
    .selectFrom('unconfirmed_calls')
    .select('id')
    .where('payment', '=', payment)
    .where('kind', '=', 'capture')
    .executeTakeFirst()
  return row !== undefined
}
