import { gstOf } from '#kit/contract/money.ts'
import type { Order } from '#features/orders/server/orders.store.ts'
import { type Fault, unless } from './findings.ts'
import { byOrder, type OurBooks, sumOf } from './our-books.ts'
import { countedAs, taxPartOf } from './reconcile-orders.ts'

/** Rules of plans that were cancelled before they began. Their customers were told of it once, and nobody else was. */
export function rulesOfCancelled(books: OurBooks): (order: Order) => Fault[] {
  const mailsOf = Map.groupBy(books.messages, ({ event_key }) => event_key)
  return (order) => {
    const mails = mailsOf.get(`next-plan-cancelled:${order.id}`) ?? []
    const wanted = order.state === 'cancelled' && !books.forgotten.has(order.user_id ?? '') ? 1 : 0
    return [
      ...unless(
        mails.length === wanted,
        countedAs(mails.length, wanted),
        `has ${mails.length} messages that it is cancelled`,
      ),
      ...unless(
        mails.every(({ sent_at }) => sent_at),
        'lost',
        'has an unsent message that it is cancelled',
      ),
    ]
  }
}

/** Rules of refunds. Each one that was received has one credit note for its amount and one mail, even if it came back. */
export function rulesOfRefund(books: OurBooks): (order: Order) => Fault[] {
  const refundsOf = byOrder(books.refunds.filter(({ psp_reference }) => psp_reference !== null))
  const documentsOf = byOrder(books.documents)
  const mailOf = new Map(books.messages.map((message) => [message.event_key, message]))

  return (order) => {
    const refunds = refundsOf(order.id)
    const documents = documentsOf(order.id)
    const credits = documents.filter(({ document_type }) => document_type === 'credit')
    const mails = refunds.flatMap(({ id }) => mailOf.get(`refund:${id}`) ?? [])
    const refunded = sumOf(refunds.map(({ amount_cents }) => amount_cents))
    return [
      ...unless(
        credits.length === refunds.length,
        countedAs(credits.length, refunds.length),
        `has ${credits.length} credit notes for ${refunds.length} refunds`,
      ),
      ...unless(
        (mails.length === refunds.length && mails.every(({ sent_at }) => sent_at)) ||
          books.forgotten.has(order.user_id ?? ''),
        'lost',
        `has ${mails.length} mails about ${refunds.length} refunds`,
      ),
      ...unless(
        credits.every(
          (note) =>
            note.refund_ref === order.order_code &&
            refunds.some(({ id, amount_cents }) => id === note.refund_id && note.total_cents === 0 - amount_cents),
        ),
        'unexplained',
        'has a credit note of something else',
      ),
      ...unless(
        credits.every((note) => Math.abs(note.tax_cents - gstOf(note.total_cents, taxPartOf(order))) <= 1),
        'unexplained',
        'has a credit note with another GST',
      ),
      ...unless(
        refunded !== order.amount_cents || sumOf(documents.map((each) => each.tax_cents)) === 0,
        'unexplained',
        'is given back and has GST left',
      ),
      ...unless(
        documents.every((each) => each.total_cents === sumOf(each.line_items.map((item) => item.subtotal_cents))),
        'unexplained',
        'has a document whose lines do not add up',
      ),
      ...unless(
        documents.length === 0 || sumOf(documents.map((each) => each.total_cents)) === order.amount_cents - refunded,
        'unexplained',
        'has documents that do not add up to what was paid',
      ),
    ]
  }
}
