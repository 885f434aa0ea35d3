import type { Order } from '#features/orders/server/orders.store.ts'
import type { AuditRecords, CustomerPromise } from './audit-records.ts'

/** An event in an order's history. With `isProductTime`, its time is from Fantail's clock, which may have been moved. */
type Line = { at: Date | null; text: string; isProductTime?: true }

/**
 * Describes everything that is known about an order, for anyone investigating a fault. Events from Fantail's tables come first, in
 * chronological order. Records from the customer, gateway, network, relay and carrier follow without times.
 */
export async function describeOrderHistory(books: AuditRecords, orderCode: string): Promise<string[]> {
  const { db } = books
  const order = await db.selectFrom('orders').selectAll().where('order_code', '=', orderCode).executeTakeFirst()
  const lines = order ? await readOrderLines(books, order) : [{ at: null, text: `${orderCode} is unknown to Fantail` }]
  const timed = lines.flatMap(({ at, text }) => (at ? [{ at, text }] : []))
  return [
    ...lines.filter(({ at }) => at === null).map(({ text }) => text),
    ...timed.toSorted((one, other) => +one.at - +other.at).map(({ at, text }) => `${at.toISOString()}  ${text}`),
    ...books.promised.filter((each) => each.order_code === orderCode).map(formatCustomerPromise),
    ...books.gateway
      .filter(({ reference }) => reference.startsWith(`${orderCode}-`))
      .map((line) => `at the gateway: ${formatFields(line)}`),
    ...books.network
      .filter(({ external_id: id }) => id.startsWith(`${orderCode}-`))
      .map((line) => `at the network: ${formatFields(line)}`),
  ]
}

const formatCustomerPromise = ({ said, kind, cents, paid_with: by, email }: CustomerPromise): string =>
  `${email} was told: ${said} (${kind}, ${cents} cents, ${by})`

async function readOrderLines(books: AuditRecords, order: Order): Promise<Line[]> {
  const { id, order_code: code, kind, state, product_id: product, amount_cents: cents, paid_with: by, email } = order
  const events = await books.db
    .selectFrom('order_events')
    .selectAll()
    .where('order_id', '=', id)
    .orderBy('id')
    .execute()
  const clockOffsetMs = +order.created_at - +(events[0]?.at ?? order.created_at)
  const lines: Line[] = [
    {
      at: order.created_at,
      isProductTime,
      text: `order ${code}: ${kind} of ${product} for ${cents} cents by ${by}, of ${email}`,
    },
    ...events.map((event) => ({
      at: event.at,
      text: `${event.kind} ${formatFields({
        name: event.name,
        subject: event.subject,
        from: event.from_state,
        to: event.to_state,
        detail: event.detail,
        times: Number(event.times) > 1 ? event.times : null,
        by: event.actor,
      })}`,
    })),
    ...(await readPaymentLines(books, id)),
    ...(await readDeliveryLines(books, id)),
    ...(await readMessageLines(books, id)),
    ...(order.completed_at ? [] : [{ at: new Date(), text: `order ${code} is ${state} now` }]),
  ]
  return lines.flatMap(({ at, isProductTime, text }) =>
    at ? { at: isProductTime ? new Date(+at - clockOffsetMs) : at, text } : [],
  )
}

async function readPaymentLines({ db }: AuditRecords, id: string): Promise<Line[]> {
  const attempts = await db.selectFrom('payment_attempts').selectAll().where('order_id', '=', id).execute()
  const refunds = await db.selectFrom('refunds').selectAll().where('order_id', '=', id).execute()
  const disputes = await db.selectFrom('disputes').selectAll().where('order_id', '=', id).execute()
  const documents = await db.selectFrom('invoices').selectAll().where('order_id', '=', id).execute()
  return [
    ...attempts.flatMap((attempt) => [
      { at: attempt.created_at, text: `payment ${attempt.reference}: ${attempt.state} by now` },
      { at: attempt.captured_at, text: `payment ${attempt.reference}: the gateway confirmed its capture` },
      { at: attempt.capture_failed_at, text: `payment ${attempt.reference}: its capture failed` },
      { at: attempt.cancelled_at, text: `payment ${attempt.reference}: the gateway confirmed its cancel` },
    ]),
    ...refunds.map((refund) => ({
      at: refund.created_at,
      text: `refund ${refund.reference}: ${refund.amount_cents} cents, ${refund.state} by now`,
    })),
    ...disputes.map((dispute) => ({
      at: dispute.created_at,
      text: `dispute ${dispute.psp_reference}: ${dispute.amount_cents} cents, ${dispute.state} by now`,
    })),
    ...documents.map((document) => ({
      at: document.created_at,
      isProductTime,
      text: `${document.document_type} ${document.order_code}: ${document.total_cents} cents, GST ${document.tax_cents}`,
    })),
  ]
}

async function readDeliveryLines({ db }: AuditRecords, id: string): Promise<Line[]> {
  const operations = await db.selectFrom('network_operations').selectAll().where('order_id', '=', id).execute()
  const ports = await db.selectFrom('porting_requests').selectAll().where('order_id', '=', id).execute()
  const services = await db.selectFrom('services').selectAll().where('order_id', '=', id).execute()
  return [
    ...operations.flatMap(({ external_id: name, created_at: begun, ended_at: ended, state, fault }) => [
      { at: begun, text: `operation ${name} begun` },
      { at: ended, text: `operation ${name} ${state} ${fault ?? ''}`.trim() },
    ]),
    ...ports.flatMap(({ external_id: name, msisdn, created_at: begun, ended_at: ended, status, failure_code: why }) => [
      { at: begun, isProductTime, text: `transfer ${name} of ${msisdn}` },
      { at: ended, isProductTime, text: `transfer ${name} ${status} ${why ?? ''}`.trim() },
    ]),
    ...services.flatMap((service) => [
      { at: service.created_at, isProductTime, text: `service ${service.id}, by now with ${service.msisdn}` },
      { at: service.released_at, isProductTime, text: `service ${service.id} released` },
    ]),
  ]
}

async function readMessageLines(books: AuditRecords, id: string): Promise<Line[]> {
  const { db } = books
  const refunds = await db.selectFrom('refunds').select('id').where('order_id', '=', id).execute()
  const ports = await db.selectFrom('porting_requests').select('id').where('order_id', '=', id).execute()
  const about = [id, ...[...refunds, ...ports].map((row) => row.id)]
  const messages = await db.selectFrom('messages').selectAll().where('ref', 'in', about).execute()
  const tasks = await db.selectFrom('operator_tasks').selectAll().where('order_id', '=', id).execute()
  const ends = ['sent_at', 'refused_at', 'dropped_at'] as const
  return [
    ...messages.flatMap((message) => {
      const name = `${message.channel} ${message.message_id} about ${message.event_key}`
      return [
        { at: message.created_at, isProductTime, text: `${name} created, to ${message.recipient}` },
        ...ends.map((end) => ({
          at: message[end],
          text: `${name} ${end.replace('_at', '')}; ${countDeliveries(books, message)} came`,
        })),
      ]
    }),
    ...tasks.flatMap(({ created_at: made, done_at: done, reason }) => [
      { at: made, text: `task: ${reason}` },
      { at: done, text: `task done: ${reason}` },
    ]),
  ]
}

const isProductTime = true as const

const countDeliveries = ({ mails, texts }: AuditRecords, { message_id: id }: { message_id: string }): number =>
  mails.filter((mail) => mail.message_id === id).length + texts.filter((text) => text.id === id).length

const formatFields = (fields: object): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
