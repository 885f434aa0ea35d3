import { centsToDecimal } from '#kit/contract/money.ts'
import { gatewayEventLabel } from '#features/orders/server/gateway.labels.ts'
import type { OrderEventRow } from '#features/orders/server/order-events.store.ts'
import type { Attempt } from '#features/orders/server/payments.store.ts'
import type { Refund } from '#features/refunds/server/refunds.store.ts'
import type { DeskOrder } from '../orders.contract.ts'
import type { OrderRecord } from './order-view.ts'
import { attemptLabels, requestOutcomeLabels, gatewayRequestLabels, refundLabels, maskNumbers } from './order.labels.ts'

type Row = DeskOrder['payments'][number]

export function presentPayments({ attempts, refunds, events }: OrderRecord): Row[] {
  const capturedAt = events.findLast(({ kind, name }) => kind === 'state' && name === 'captured')?.at ?? null
  return [
    ...attempts.flatMap((attempt) => attemptRows(attempt, capturedAt)),
    ...refunds.map(refundRow),
    ...events.flatMap(eventRows),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

function attemptRows(attempt: Attempt, capturedAt: Date | null): Row[] {
  const { reference, state, refusal, psp_reference, created_at, capture_failed_at: failedAt, cancelled_at } = attempt
  const amount = centsToDecimal(attempt.amount_cents)
  // A cancelled payment attempt that has a PSP reference was authorised before it was cancelled.
  const { said, tone } = attemptLabels[state === 'cancelled' && psp_reference ? 'cancelling' : state]
  const authorisation: Row = {
    at: created_at.toISOString(),
    what: 'Authorise',
    reference,
    said: refusal ? `${said}: ${refusal}` : said,
    tone,
    psp_reference,
    amount,
  }
  const captureTime = state === 'captured' ? (capturedAt ?? attempt.captured_at) : null
  const sharedFields = { reference, psp_reference: attempt.capture_psp_reference, amount }
  return [
    authorisation,
    ...(captureTime
      ? [{ ...sharedFields, at: captureTime.toISOString(), what: 'Capture', said: 'Received', tone: 'good' } as const]
      : []),
    ...(failedAt
      ? [{ ...sharedFields, at: failedAt.toISOString(), what: 'Capture', said: 'Failed later', tone: 'bad' } as const]
      : []),
    ...(cancelled_at
      ? [
          {
            ...authorisation,
            at: cancelled_at.toISOString(),
            what: 'Cancel',
            said: state === 'cancelled' ? 'Cancelled' : 'Requested',
            tone: 'plain',
          } as const,
        ]
      : []),
  ]
}

function refundRow({ reference, state, refusal, psp_reference, amount_cents, created_at }: Refund): Row {
  const { said, tone } = refundLabels[state]
  return {
    at: created_at.toISOString(),
    what: 'Refund',
    reference,
    said: refusal ? `${said}: ${refusal}` : said,
    tone,
    psp_reference,
    amount: centsToDecimal(amount_cents),
  }
}

function eventRows(event: OrderEventRow): Row[] {
  const { kind, name, subject, detail, to_state: to, times, at } = event
  const repetitionSuffix = times > 1 ? `, ${times} times` : ''
  const commonFields = { at: at.toISOString(), amount: null }
  const call = gatewayRequestLabels[name]
  if (kind === 'call' && call) {
    const { said, tone } = requestOutcomeLabels[to ?? ''] ?? { said: to ?? '', tone: 'plain' as const }
    const reason = to === 'unknown' || to === 'pending' ? '' : `: ${maskNumbers(detail ?? '')}`
    return [
      {
        ...commonFields,
        what: call,
        reference: subject,
        said: `${said}${reason}${repetitionSuffix}`,
        tone,
        psp_reference: null,
      },
    ]
  }
  if (kind !== 'notification') return []
  const [, cents] = /^(\d{1,9}) cents /.exec(detail ?? '') ?? []
  const isSuccess = to === 'success'
  return [
    {
      ...commonFields,
      what: `Notification: ${gatewayEventLabel(name) ?? name.toLowerCase().replaceAll('_', ' ')}`,
      reference: null,
      said: `${isSuccess ? 'Success' : 'Failure'}${repetitionSuffix}`,
      tone: isSuccess ? (gatewayEventLabel(name) ? 'warn' : 'good') : 'bad',
      psp_reference: subject,
      amount: cents ? centsToDecimal(Number(cents)) : null,
    },
  ]
}
