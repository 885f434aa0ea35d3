import { centsToDecimal } from '#kit/contract/money.ts'
import type { User } from '#features/auth/server/users.store.ts'
import type { SavedCard } from '#features/payment-method/server/saved-cards.store.ts'
import type { listNumbers } from './customer.store.ts'
import type * as kept from './export.store.ts'

export type RowOf<Query extends (...args: never[]) => Promise<unknown[]> | AsyncGenerator<unknown[]>> =
  ReturnType<Query> extends AsyncGenerator<infer Page extends unknown[]>
    ? Page[number]
    : ReturnType<Query> extends Promise<infer Rows extends unknown[]>
      ? Rows[number]
      : never

export const toIsoString = (at: Date | null): string | null => at?.toISOString() ?? null

export const presentPerson = (user: User, phone: string | null) => ({
  id: user.id,
  email: user.email,
  email_verified: toIsoString(user.email_verified_at),
  first_name: user.first_name,
  last_name: user.last_name,
  contact_phone: phone,
  marketing_consent: user.marketing_consent,
  blocked: toIsoString(user.blocked_at),
  created: user.created_at.toISOString(),
  updated: user.updated_at.toISOString(),
})

export const presentCard = (card: SavedCard) => ({
  card_type: card.card_type,
  last_four: card.last_four,
  expiry: card.expiry,
  holder_name: card.holder_name,
  saved: card.saved_at.toISOString(),
})

export const presentNumber = (number: RowOf<typeof listNumbers>) => ({
  id: number.id,
  msisdn: number.msisdn,
  name: number.name,
  iccid: number.iccid,
  since: number.created_at.toISOString(),
  released: toIsoString(number.released_at),
  plan: number.plan,
  ends: toIsoString(number.expires_at),
  next_plan: number.next_plan,
  next_starts: toIsoString(number.next_starts_at),
  auto_renewal: number.auto_renewal ?? false,
})

export const presentOrder = (
  order: RowOf<typeof kept.exportOrders>,
  payments: RowOf<typeof kept.exportPayments>[],
) => ({
  order_code: order.order_code,
  kind: order.kind,
  state: order.state,
  product: order.product.title,
  paid_with: order.paid_with,
  amount: centsToDecimal(order.amount_cents),
  currency: order.currency,
  iccid: order.iccid,
  msisdn: order.msisdn,
  email: order.email,
  full_name: order.full_name,
  marketing_consent: order.marketing_consent,
  number_to_bring: order.porting?.msisdn ?? null,
  auto_renewal: order.auto_renewal,
  failure: order.failure_code,
  starts: toIsoString(order.starts_at),
  created: order.created_at.toISOString(),
  completed: toIsoString(order.completed_at),
  payments: payments.map(presentPayment),
})

const presentPayment = (payment: RowOf<typeof kept.exportPayments>) => ({
  reference: payment.reference,
  state: payment.state,
  amount: centsToDecimal(payment.amount_cents),
  currency: payment.currency,
  card: payment.card && {
    card_type: payment.card.type,
    last_four: payment.card.lastFour,
    expiry: payment.card.expiry,
    holder_name: payment.card.holderName,
  },
  refusal: payment.refusal,
  created: payment.created_at.toISOString(),
  captured: toIsoString(payment.captured_at),
  cancelled: toIsoString(payment.cancelled_at),
})

export const presentRefund = (refund: RowOf<typeof kept.exportRefunds>) => ({
  order_code: refund.order_code,
  reference: refund.reference,
  state: refund.state,
  amount: centsToDecimal(refund.amount_cents),
  created: refund.created_at.toISOString(),
})

export const presentDocument = (document: RowOf<typeof kept.exportDocuments>) => ({
  order_code: document.order_code,
  document_type: document.document_type,
  msisdn: document.msisdn,
  paid_with: document.paid_with,
  email: document.email,
  full_name: document.full_name,
  lines: document.line_items.map(({ title, quantity, subtotal_cents: subtotal }) => ({
    title,
    quantity,
    subtotal: centsToDecimal(subtotal),
  })),
  tax: centsToDecimal(document.tax_cents),
  total: centsToDecimal(document.total_cents),
  currency: document.currency,
  created: document.created_at.toISOString(),
})

export const presentTransfer = (port: RowOf<typeof kept.exportTransfers>) => ({
  service: port.service_id,
  msisdn: port.msisdn,
  provider: port.provider_id,
  billing_method: port.billing_method,
  prepaid_sim_number: port.prepaid_sim_number,
  account_number: port.account_number,
  status: port.status,
  failure: port.failure_code,
  created: port.created_at.toISOString(),
  ended: toIsoString(port.ended_at),
})

export const presentUsageReading = (reading: RowOf<typeof kept.exportUsageReadings>) => ({
  service: reading.service_id,
  kind: reading.kind,
  reading: reading.reading,
  read: reading.read_at.toISOString(),
})

export const presentAlert = (alert: RowOf<typeof kept.exportAlerts>) => ({
  service: alert.service_id,
  percent_used: alert.threshold,
  told_by: alert.channel,
})

export const presentPlanEndAlert = (alert: RowOf<typeof kept.exportPlanEndAlerts>) => ({
  service: alert.service_id,
  told_by: alert.channel,
})

export const presentUsageWatch = (watch: RowOf<typeof kept.exportUsageWatches>) => ({
  service: watch.service_id,
  cycle: toIsoString(watch.cycle),
  told_of_percent: watch.last_threshold,
  left_mb: watch.left_mb,
  read: toIsoString(watch.looked_at),
})

export const presentCycleUsage = (cycle: RowOf<typeof kept.exportCycleUsage>) => ({
  service: cycle.service_id,
  plan: cycle.title,
  starts: cycle.starts_at.toISOString(),
  ends: cycle.ends_at.toISOString(),
  used_mb: cycle.used_mb,
  ran_out: toIsoString(cycle.ran_out_at),
})

export const presentRefusedPayment = (payment: RowOf<typeof kept.exportRefusedPayments>) => ({
  kind: payment.kind,
  iccid: payment.iccid,
  asked: payment.asked_at.toISOString(),
  refused: toIsoString(payment.refused_at),
})

export const presentCardUpdate = (update: RowOf<typeof kept.exportCardUpdates>) => ({
  reference: update.reference,
  state: update.state,
  failure: update.failure,
  created: update.created_at.toISOString(),
})

export const presentAutoRenewal = (renewal: RowOf<typeof kept.exportAutoRenewals>) => ({
  service: renewal.service_id,
  enabled: renewal.enabled,
  next_step: renewal.step,
  due: toIsoString(renewal.due_at),
  notified_amount: renewal.notified_cents === null ? null : centsToDecimal(renewal.notified_cents),
  failure: renewal.failure,
  failed_card: renewal.failed_card,
})

export const presentDispute = (dispute: RowOf<typeof kept.exportDisputes>) => ({
  order_code: dispute.order_code,
  reference: dispute.psp_reference,
  state: dispute.state,
  amount: centsToDecimal(dispute.amount_cents),
  currency: dispute.currency,
  reason: dispute.reason,
  due: toIsoString(dispute.due_at),
  created: dispute.created_at.toISOString(),
  changed: dispute.changed_at.toISOString(),
  outcome: dispute.outcome,
  closed: toIsoString(dispute.closed_at),
  answer: dispute.answer,
  answered: toIsoString(dispute.answered_at),
  evidence_reference: dispute.evidence_reference,
  evidence_handed_in: toIsoString(dispute.handed_in_at),
})

export const presentTransferEvent = (event: RowOf<typeof kept.exportTransferEvents>) => ({
  at: event.at.toISOString(),
  msisdn: event.msisdn,
  event: event.event,
  status: event.status,
  sub_state: event.sub_state,
  code: event.code,
  message: event.message,
})

export const presentActivation = (activation: RowOf<typeof kept.exportActivations>) => ({
  started: activation.started_at.toISOString(),
  ended: toIsoString(activation.ended_at),
  state: activation.state,
  iccid: activation.iccid,
  msisdn: activation.msisdn,
  full_name: activation.full_name,
  email: activation.email,
  marketing_consent: activation.marketing_consent,
  method: activation.method,
  product: activation.product_id,
  number_to_bring: activation.porting?.msisdn ?? null,
})
