import { formatNational } from '#kit/contract/phone.ts'
import { cardName } from '#kit/contract/card-types.ts'
import { toWire } from '#kit/contract/money.ts'
import { realNow } from '#kit/server/clock.ts'
import { maskedEmail } from '#kit/server/masks.ts'
import type { Unsettled } from '#features/orders/payment-attempts.states.ts'
import { type Order, paysByCard } from '#features/orders/server/orders.store.ts'
import { givenCents } from '#features/refunds/server/refunds.store.ts'
import type { AskedApproval } from '#desk/features/approvals/server/approvals.store.ts'
import { maskedFullName } from '#desk/features/staff/server/person.present.ts'
import { standingOf } from '#desk/features/money/server/dispute-words.ts'
import type { DeskOrder, OrderList, OrderRow } from '#desk/features/orders/orders.contract.ts'
import { presentBooks } from './books.present.ts'
import { copyForCarrier, copyForGateway } from './copies.present.ts'
import type { MessageOfOrder, OrderOfDesk } from './desk-order.view.ts'
import { presentNetwork } from './network-rows.present.ts'
import type { WholeOrder } from './order-view.ts'
import { stateWords, wordsOfKind } from './order-words.present.ts'
import { presentPayments } from './payment-rows.present.ts'
import { presentRail } from './rail.present.ts'
import { sql } from 'kysely'
import { pageOf, type Place } from '#kit/server/page.ts'
import type { Db } from '#kit/server/db.ts'
import { failedStates, orderStates } from '#features/orders/orders.states.ts'

type Seen = OrderOfDesk & {
  aloneCents: number
  asked: AskedApproval<'refund'> | null
  deciders: string[]
  staffId: string
  unsettled: Unsettled | null
  settling: AskedApproval<'settlement'> | null
  seesDisputes: boolean
}

export function presentOrder({ whole, port, messages, usualSeconds, ...seen }: Seen): DeskOrder {
  const { order } = whole
  const payments = presentPayments(whole)
  const network = presentNetwork(whole, port)
  const code = order.order_code
  const { said, tone } = stateWords[order.state]
  return {
    code,
    state: order.state,
    state_words: said,
    tone,
    kind_words: wordsOfKind(order),
    title: order.product.title,
    amount: toWire(order.amount_cents),
    currency: order.currency,
    created: order.created_at.toISOString(),
    failure: order.failure_code,
    next_try: order.retry_at?.toISOString() ?? null,
    given_up: order.due_at?.toISOString() ?? null,
    customer: { id: order.user_id, name: maskedFullName(order.full_name), email: maskedEmail(order.email) },
    number: formatNational(order.msisdn),
    rail: presentRail(whole, usualSeconds),
    payments,
    network,
    books: presentBooks(whole),
    papers: whole.documents.map(({ document_type, order_code, total_cents, created_at }) => ({
      type: document_type,
      code: order_code,
      amount: toWire(total_cents),
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
    money: presentMoney(whole, seen.aloneCents),
    asked: presentAsked(seen, whole.refundableCents),
    unsettled: presentUnsettled(seen),
    disputes: (seen.seesDisputes ? whole.disputes : []).map((dispute) => ({
      reference: dispute.psp_reference,
      words: standingOf(dispute).words,
      amount: toWire(dispute.amount_cents),
    })),
    deciders: seen.deciders,
    for_gateway: copyForGateway({ code, payments, network }),
    for_carrier: copyForCarrier({ code, payments, network }),
  }
}

function presentAsked({ asked, staffId }: Pick<Seen, 'asked' | 'staffId'>, left: number | null): DeskOrder['asked'] {
  if (!asked) return null
  return {
    id: asked.id,
    by: asked.asker,
    amount: toWire(asked.payload.cents),
    left_seconds: Math.round((asked.lapses_at.getTime() - realNow().epochMilliseconds) / 1_000),
    is_own: asked.asked_by === staffId,
    is_stale: left !== null && asked.payload.cents > left,
  }
}

function presentUnsettled({ unsettled, settling, staffId }: Omit<Seen, keyof OrderOfDesk>): DeskOrder['unsettled'] {
  if (!unsettled) return null
  const { of, reference, cents, since, may } = unsettled
  return {
    of,
    reference,
    amount: toWire(cents),
    since: since.toString({ smallestUnit: 'second' }),
    may,
    // A request about an earlier call can no longer be approved. A new request replaces it.
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
  { order, attempts, refunds, refundableCents }: WholeOrder,
  aloneCents: number,
): DeskOrder['money'] {
  const paid = attempts.find(({ state, capture_failed_at: failed }) => state === 'captured' && !failed)
  const card = paid?.card
  return {
    paid: toWire(paid?.amount_cents ?? 0),
    given: toWire(givenCents(refunds)),
    left: toWire(refundableCents ?? 0),
    alone: toWire(Math.min(aloneCents, refundableCents ?? 0)),
    paid_with: paysByCard(order) ? cardName(card?.type ?? null, card?.lastFour ?? null) : 'Voucher',
  }
}

/** Kinds of message that can be composed again. Other messages are about a past moment, or contain a PIN. */
const composable = ['activation', 'renewal', 'addon', 'refund', 'port']

const presentMessage = (message: MessageOfOrder): DeskOrder['messages'][number] => ({
  id: message.id,
  channel: message.channel,
  // A text message has no subject.
  subject: message.subject || (message.kind ?? '').replace(/-text$/, '').replaceAll('-', ' '),
  at: (message.sent_at ?? message.created_at).toISOString(),
  state: message.sent_at ? 'sent' : message.refused_at ? 'refused' : message.dropped_at ? 'dropped' : 'waits',
  may_again: message.channel === 'email' && message.kind !== null && composable.includes(message.kind),
})

export const presentRow = (order: ListedOrder): OrderRow => ({
  code: order.order_code,
  state: order.state,
  state_words: stateWords[order.state].said,
  tone: stateWords[order.state].tone,
  kind_words: wordsOfKind(order),
  title: order.product.title,
  amount: toWire(order.amount_cents),
  name: maskedFullName(order.full_name),
  created: order.created_at.toISOString(),
})

export type ListedOrder = Order & Place

const aPage = 50
const well = ['completed', 'cancelled'] as const
const ofList: Record<Exclude<OrderList, 'all'>, Order['state'][]> = {
  open: orderStates.filter(
    (state) => state !== 'held' && !failedStates.includes(state) && !well.some((each) => each === state),
  ),
  held: ['held'],
  failed: failedStates,
}

export async function listNotWell(
  db: Db,
  { of, before }: { of: OrderList; before: Place | null },
): Promise<{ rows: ListedOrder[]; next: string | null }> {
  let those = db
    .selectFrom('orders')
    .selectAll()
    // The states are literals, as in the condition of the partial index. A generic plan with parameters could not use that index.
    .where(sql<boolean>`state not in (${sql.join(well.map((state) => sql.lit(state)))})`)
  if (of !== 'all') those = those.where('state', 'in', ofList[of])
  if (before)
    those = those.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(before.at, before.key)),
    )
  const rows = await those
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(aPage + 1)
    .execute()
  return pageOf(
    rows.map((order) => ({ ...order, at: order.created_at, key: order.id })),
    aPage,
  )
}
