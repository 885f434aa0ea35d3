import { formatNational } from '#kit/contract/phone.ts'
import { formatCardName } from '#kit/contract/card-types.ts'
import { centsToDecimal } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { maskEmail } from '#kit/server/masks.ts'
import type { UnsettledRequest } from '#features/orders/payment-attempts.states.ts'
import { type Order, paysByCard } from '#features/orders/server/orders.store.ts'
import { sumRefundedCents } from '#features/refunds/server/refunds.store.ts'
import type { ApprovalRequest } from '#desk/features/approvals/server/approvals.store.ts'
import { maskFullName } from '#desk/features/staff/server/person.present.ts'
import { disputeStateLabel } from '#desk/features/money/server/dispute.labels.ts'
import type { DeskOrder, OrderList, OrderRow } from '#desk/features/orders/orders.contract.ts'
import { presentLedger } from './ledger.present.ts'
import { carrierTicketText, gatewaySupportText } from './ticket-text.present.ts'
import type { OrderMessageRow, DeskOrderRecord } from './desk-order.view.ts'
import { presentNetwork } from './network-rows.present.ts'
import type { OrderRecord } from './order-view.ts'
import { stateLabels, orderTypeLabel } from './order.labels.ts'
import { presentPayments } from './payment-rows.present.ts'
import { presentOrderTimeline } from './order-timeline.present.ts'
import { sql } from 'kysely'
import { paginateRows, type PagePosition } from '#kit/server/pagination.ts'
import type { Db } from '#kit/server/db.ts'
import { failedStates, orderStates } from '#features/orders/orders.states.ts'

type OrderPageData = DeskOrderRecord & {
  aloneCents: number
  asked: ApprovalRequest<'refund'> | null
  deciders: string[]
  staffId: string
  unsettled: UnsettledRequest | null
  settling: ApprovalRequest<'settlement'> | null
  seesDisputes: boolean
}

export function presentOrder({ whole, port, messages, usualSeconds, ...context }: OrderPageData): DeskOrder {
  const { order } = whole
  const payments = presentPayments(whole)
  const network = presentNetwork(whole, port)
  const code = order.order_code
  const { said, tone } = stateLabels[order.state]
  return {
    code,
    state: order.state,
    state_words: said,
    tone,
    kind_words: orderTypeLabel(order),
    title: order.product.title,
    amount: centsToDecimal(order.amount_cents),
    currency: order.currency,
    created: order.created_at.toISOString(),
    failure: order.failure_code,
    next_try: order.retry_at?.toISOString() ?? null,
    given_up: order.due_at?.toISOString() ?? null,
    customer: { id: order.user_id, name: maskFullName(order.full_name), email: maskEmail(order.email) },
    number: formatNational(order.msisdn),
    rail: presentOrderTimeline(whole, usualSeconds),
    payments,
    network,
    books: presentLedger(whole),
    papers: whole.documents.map(({ document_type, order_code, total_cents, created_at }) => ({
      type: document_type,
      code: order_code,
      amount: centsToDecimal(total_cents),
      at: created_at.toISOString(),
    })),
    messages: messages.map(presentMessage),
    tasks: whole.tasks.map(({ id, reason, due_at }) => ({ id, reason, due: due_at?.toISOString() ?? null })),
    retry_why: whole.retryWhy,
    cancel_why: whole.cancelWhy,
    refund_why: whole.refundWhy,
    refund_all_why: whole.refundAllWhy,
    plan_waits: whole.isWaiting,
    undone: whole.undone,
    money: presentMoney(whole, context.aloneCents),
    asked: presentRefundRequest(context, whole.refundableCents),
    unsettled: presentUnsettledRequest(context),
    disputes: (context.seesDisputes ? whole.disputes : []).map((dispute) => ({
      reference: dispute.psp_reference,
      words: disputeStateLabel(dispute).words,
      amount: centsToDecimal(dispute.amount_cents),
    })),
    deciders: context.deciders,
    for_gateway: gatewaySupportText({ code, payments, network }),
    for_carrier: carrierTicketText({ code, payments, network }),
  }
}

function presentRefundRequest(
  { asked, staffId }: Pick<OrderPageData, 'asked' | 'staffId'>,
  left: number | null,
): DeskOrder['asked'] {
  if (!asked) return null
  return {
    id: asked.id,
    by: asked.asker,
    amount: centsToDecimal(asked.payload.cents),
    left_seconds: Math.round((asked.lapses_at.getTime() - realNow().epochMilliseconds) / 1_000),
    is_own: asked.asked_by === staffId,
    is_stale: left !== null && asked.payload.cents > left,
  }
}

function presentUnsettledRequest({
  unsettled,
  settling,
  staffId,
}: Omit<OrderPageData, keyof DeskOrderRecord>): DeskOrder['unsettled'] {
  if (!unsettled) return null
  const { of, reference, cents, since, may } = unsettled
  return {
    of,
    reference,
    amount: centsToDecimal(cents),
    since: since.toString({ smallestUnit: 'second' }),
    may,
    // An open request to settle an earlier payment or refund can no longer be approved, so it is left out. A new request replaces it.
    asked:
      settling?.payload.reference === reference
        ? {
            by: settling.asker,
            left_seconds: Math.round((settling.lapses_at.getTime() - realNow().epochMilliseconds) / 1_000),
            is_own: settling.asked_by === staffId,
          }
        : null,
  }
}

function presentMoney(
  { order, attempts, refunds, refundableCents }: OrderRecord,
  aloneCents: number,
): DeskOrder['money'] {
  const paid = attempts.find(({ state, capture_failed_at: failed }) => state === 'captured' && !failed)
  const card = paid?.card
  return {
    paid: centsToDecimal(paid?.amount_cents ?? 0),
    given: centsToDecimal(sumRefundedCents(refunds)),
    left: centsToDecimal(refundableCents ?? 0),
    alone: centsToDecimal(Math.min(aloneCents, refundableCents ?? 0)),
    paid_with: paysByCard(order) ? formatCardName(card?.type ?? null, card?.lastFour ?? null) : 'Voucher',
  }
}

/** Types of message that can be composed and sent again. The other types are about a past event, or contain a PIN. */
const resendableTypes = ['activation', 'renewal', 'addon', 'refund', 'port']

const presentMessage = (message: OrderMessageRow): DeskOrder['messages'][number] => ({
  id: message.id,
  channel: message.channel,
  // A text message has no subject, so its type is shown instead.
  subject: message.subject || (message.kind ?? '').replace(/-text$/, '').replaceAll('-', ' '),
  at: (message.sent_at ?? message.created_at).toISOString(),
  state: message.sent_at ? 'sent' : message.refused_at ? 'refused' : message.dropped_at ? 'dropped' : 'waits',
  may_again: message.channel === 'email' && message.kind !== null && resendableTypes.includes(message.kind),
})

export const presentRow = (order: ListedOrder): OrderRow => ({
  code: order.order_code,
  state: order.state,
  state_words: stateLabels[order.state].said,
  tone: stateLabels[order.state].tone,
  kind_words: orderTypeLabel(order),
  title: order.product.title,
  amount: centsToDecimal(order.amount_cents),
  name: maskFullName(order.full_name),
  created: order.created_at.toISOString(),
})

export type ListedOrder = Order & PagePosition

const pageSize = 50
const finishedStates = ['completed', 'cancelled'] as const
const statesByList: Record<Exclude<OrderList, 'all'>, Order['state'][]> = {
  open: orderStates.filter(
    (state) => state !== 'held' && !failedStates.includes(state) && !finishedStates.some((each) => each === state),
  ),
  held: ['held'],
  failed: failedStates,
}

export async function listUnfinishedOrders(
  db: Db,
  { of, before }: { of: OrderList; before: PagePosition | null },
): Promise<{ rows: ListedOrder[]; next: string | null }> {
  let query = db
    .selectFrom('orders')
    .selectAll()
    // The states are SQL literals, as in the partial index: with parameters, PostgreSQL's generic plan could not use that index.
    .where(sql<boolean>`state not in (${sql.join(finishedStates.map((state) => sql.lit(state)))})`)
  if (of !== 'all') query = query.where('state', 'in', statesByList[of])
  if (before)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(before.at, before.key)),
    )
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute()
  return paginateRows(
    rows.map((order) => ({ ...order, at: order.created_at, key: order.id })),
    pageSize,
  )
}
