import { gstOf } from '#kit/contract/money.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { type Fault, createFaultUnless } from './findings.ts'
import { groupByOrder, type ProductRecords, sumOf } from './product-records.ts'
import { classifyCountMismatch, getTaxFraction } from './reconcile-orders.ts'

/**
 * Returns the rules for plans that were cancelled before they began. The customer must have been told about the cancellation exactly once.
 */
export function createCancellationRules(books: ProductRecords): (order: Order) => Fault[] {
  const messagesByKey = Map.groupBy(books.messages, ({ event_key }) => event_key)
  return (order) => {
    const mails = messagesByKey.get(`next-plan-cancelled:${order.id}`) ?? []
    const expectedCount = order.state === 'cancelled' && !books.forgotten.has(order.user_id ?? '') ? 1 : 0
    return [
      ...createFaultUnless(
        mails.length === expectedCount,
        classifyCountMismatch(mails.length, expectedCount),
        `has ${mails.length} messages that it is cancelled`,
      ),
      ...createFaultUnless(
        mails.every(({ sent_at }) => sent_at),
        'lost',
        'has an unsent message that it is cancelled',
      ),
    ]
  }
}

/**
 * Returns the rules for refunds. Each refund that reached the gateway must have one email and one credit note for its amount, even if the
 * refund came back.
 */
export function createRefundRules(books: ProductRecords): (order: Order) => Fault[] {
  const getRefunds = groupByOrder(books.refunds.filter(({ psp_reference }) => psp_reference !== null))
  const getDocuments = groupByOrder(books.documents)
  const messageByKey = new Map(books.messages.map((message) => [message.event_key, message]))

  return (order) => {
    const refunds = getRefunds(order.id)
    const documents = getDocuments(order.id)
    const credits = documents.filter(({ document_type }) => document_type === 'credit')
    const mails = refunds.flatMap(({ id }) => messageByKey.get(`refund:${id}`) ?? [])
    const refundedCents = sumOf(refunds.map(({ amount_cents }) => amount_cents))
    return [
      ...createFaultUnless(
        credits.length === refunds.length,
        classifyCountMismatch(credits.length, refunds.length),
        `has ${credits.length} credit notes for ${refunds.length} refunds`,
      ),
      ...createFaultUnless(
        (mails.length === refunds.length && mails.every(({ sent_at }) => sent_at)) ||
          books.forgotten.has(order.user_id ?? ''),
        'lost',
        `has ${mails.length} mails about ${refunds.length} refunds`,
      ),
      ...createFaultUnless(
        credits.every(
          (note) =>
            note.refund_ref === order.order_code &&
            refunds.some(({ id, amount_cents }) => id === note.refund_id && note.total_cents === 0 - amount_cents),
        ),
        'unexplained',
        'has a credit note of something else',
      ),
      ...createFaultUnless(
        credits.every((note) => Math.abs(note.tax_cents - gstOf(note.total_cents, getTaxFraction(order))) <= 1),
        'unexplained',
        'has a credit note with another GST',
      ),
      ...createFaultUnless(
        refundedCents !== order.amount_cents || sumOf(documents.map((each) => each.tax_cents)) === 0,
        'unexplained',
        'is given back and has GST left',
      ),
      ...createFaultUnless(
        documents.every((each) => each.total_cents === sumOf(each.line_items.map((item) => item.subtotal_cents))),
        'unexplained',
        'has a document whose lines do not add up',
      ),
      ...createFaultUnless(
        documents.length === 0 ||
          sumOf(documents.map((each) => each.total_cents)) === order.amount_cents - refundedCents,
        'unexplained',
        'has documents that do not add up to what was paid',
      ),
    ]
  }
}
