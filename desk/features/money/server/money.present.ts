import { toWire } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { isRefundOpen, type RefundState } from '#features/refunds/refunds.states.ts'
import type { Tone } from '#desk/features/customers/happened.contract.ts'
import { withoutNumbers } from '#desk/features/orders/server/order-words.present.ts'
import type { DisputeRow, RefundRow } from '../money.contract.ts'
import { leftOf, reasonOf, standingOf } from './dispute-words.ts'
import type { ListedDispute, ListedRefund } from './money.view.ts'

export const presentDisputeRow = (dispute: ListedDispute): DisputeRow => ({
  reference: dispute.psp_reference,
  order: dispute.order_code,
  amount: toWire(dispute.amount_cents),
  currency: dispute.currency,
  reason: reasonOf(dispute),
  ...standingOf(dispute),
  due: dispute.due_at?.toISOString() ?? null,
  left_seconds: leftOf(dispute),
})

const refundWords: Record<Exclude<RefundState, 'received'>, { words: string; tone: Tone }> = {
  initiated: { words: 'Asked for', tone: 'plain' },
  unknown: { words: 'No answer', tone: 'warn' },
  refused: { words: 'Refused', tone: 'bad' },
  returned: { words: 'Came back', tone: 'bad' },
}

export function presentRefundRow(refund: ListedRefund): RefundRow {
  const { state, created_at: at } = refund
  return {
    id: refund.id,
    order: refund.order_code,
    reference: refund.reference,
    amount: toWire(refund.amount_cents),
    ...refundWords[state as keyof typeof refundWords],
    why: whyWaits(refund),
    created: at.toISOString(),
    age_seconds: Math.round((realNow().epochMilliseconds - at.getTime()) / 1_000),
    next_try: refund.retry_at?.toISOString() ?? null,
    may_retry: isRefundOpen(state),
  }
}

function whyWaits({ state, tries, refusal }: ListedRefund): string {
  switch (state) {
    case 'initiated':
      return 'The gateway is being asked'
    case 'unknown':
      return `The gateway has not answered; asked ${tries === 1 ? 'once' : `${tries} times`}, and asked on by itself`
    case 'refused':
      return `The gateway refuses it: ${withoutNumbers(refusal ?? 'it does not say why')}. Give it back anew at its order`
    default:
      return 'It did not arrive: its customer is owed it. Give it again at its order'
  }
}
