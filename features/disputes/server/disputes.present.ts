import { centsToDecimal } from '#kit/contract/money.ts'
import type { Dispute } from './disputes.store.ts'

export const presentDispute = (
  { psp_reference, state, amount_cents, currency, reason, due_at, created_at, changed_at, ...closing }: Dispute,
  orderCode: string,
) => ({
  order_code: orderCode,
  psp_reference,
  state,
  amount: centsToDecimal(amount_cents),
  currency,
  reason,
  due: due_at?.toISOString() ?? null,
  created: created_at.toISOString(),
  changed: changed_at.toISOString(),
  outcome: closing.outcome,
  closed_by: closing.closed_by,
  note: closing.note,
  answer: closing.answer,
  answered_by: closing.answered_by,
  evidence_reference: closing.evidence_reference,
})
