import { toWire } from '#kit/contract/money.ts'
import { wordsOf } from '#features/orders/server/gateway-words.present.ts'
import type { HappenedToOrder } from '#features/orders/server/order-events.store.ts'
import type { Attempt } from '#features/orders/server/payments.store.ts'
import type { Refund } from '#features/refunds/server/refunds.store.ts'
import type { DeskOrder } from '../orders.contract.ts'
import type { WholeOrder } from './order-view.ts'
import { attemptWords, callWords, cardCallWords, refundWords, withoutNumbers } from './order-words.present.ts'

type Row = DeskOrder['payments'][number]

export function presentPayments({ attempts, refunds, events }: WholeOrder): Row[] {
  const capturedAt = events.findLast(({ kind, name }) => kind === 'state' && name === 'captured')?.at ?? null
  return [
    ...attempts.flatMap((attempt) => rowsOfAttempt(attempt, capturedAt)),
    ...refunds.map(rowOfRefund),
    ...events.flatMap(rowsOfEvent),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

function rowsOfAttempt(attempt: Attempt, capturedAt: Date | null): Row[] {
  const { reference, state, refusal, psp_reference, created_at, capture_failed_at: failedAt, cancelled_at } = attempt
  const amount = toWire(attempt.amount_cents)
  // A cancelled attempt with a PSP reference was authorised before.
  const { said, tone } = attemptWords[state === 'cancelled' && psp_reference ? 'cancelling' : state]
  const asked: Row = {
    at: created_at.toISOString(),
    what: 'Authorise',
    reference,
    said: refusal ? `${said}: ${refusal}` : said,
    tone,
    psp_reference,
    amount,
  }
  const takenAt = state === 'captured' ? (capturedAt ?? attempt.captured_at) : null
  const shared = { reference, psp_reference: attempt.capture_psp_reference, amount }
  return [
    asked,
    ...(takenAt
      ? [{ ...shared, at: takenAt.toISOString(), what: 'Capture', said: 'Received', tone: 'good' } as const]
      : []),
    ...(failedAt
      ? [{ ...shared, at: failedAt.toISOString(), what: 'Capture', said: 'Failed later', tone: 'bad' } as const]
      : []),
    ...(cancelled_at
      ? [
          {
            ...asked,
            at: cancelled_at.toISOString(),
            what: 'Cancel',
            said: state === 'cancelled' ? 'Cancelled' : 'Requested',
            tone: 'plain',
          } as const,
        ]
      : []),
  ]
}

function rowOfRefund({ reference, state, refusal, psp_reference, amount_cents, created_at }: Refund): Row {
  const { said, tone } = refundWords[state]
  return {
    at: created_at.toISOString(),
    what: 'Refund',
    reference,
    said: refusal ? `${said}: ${refusal}` : said,
    tone,
    psp_reference,
    amount: toWire(amount_cents),
  }
}

function rowsOfEvent(event: HappenedToOrder): Row[] {
  const { kind, name, subject, detail, to_state: to, times, at } = event
  const often = times > 1 ? `, ${times} times` : ''
  const shared = { at: at.toISOString(), amount: null }
  const call = cardCallWords[name]
  if (kind === 'call' && call) {
    const { said, tone } = callWords[to ?? ''] ?? { said: to ?? '', tone: 'plain' as const }
    const words = to === 'unknown' || to === 'pending' ? '' : `: ${withoutNumbers(detail ?? '')}`
    return [{ ...shared, what: call, reference: subject, said: `${said}${words}${often}`, tone, psp_reference: null }]
  }
  if (kind !== 'notification') return []
  const [, cents] = /^(\d{1,9}) cents /.exec(detail ?? '') ?? []
  const isGood = to === 'success'
  return [
    {
      ...shared,
      what: `Notification: ${wordsOf(name) ?? name.toLowerCase().replaceAll('_', ' ')}`,
      reference: null,
      said: `${isGood ? 'Success' : 'Failure'}${often}`,
      tone: isGood ? (wordsOf(name) ? 'warn' : 'good') : 'bad',
      psp_reference: subject,
      amount: cents ? toWire(Number(cents)) : null,
    },
  ]
}
