import type { Message } from '#features/messages/server/messages.store.ts'
import type { TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'
import type { Finding, FindingKind } from '#quality/support/findings.ts'
import type { ProductRecords } from '#quality/support/product-records.ts'
import { createServiceOrderCodeFinder } from '#quality/support/reconcile-services.ts'
import type { FindingWithTask } from '#quality/support/reconciliation.ts'
import type { AuditRecords } from './audit-records.ts'

type Delivery = { id: string; to: string; says: string }

type Scope = { channel: Message['channel']; what: string; ours: Message[]; theirs: Delivery[] }

/**
 * Checks emails and text messages. An email may arrive twice with the same Message-ID, because SMTP cannot guarantee that it is delivered
 * exactly once. Each event must have a single Message-ID and a single recipient, and the relay or carrier must have accepted every message
 * that Fantail recorded as sent.
 */
export function auditMessages(
  books: ProductRecords,
  { mails, texts }: Pick<AuditRecords, 'mails' | 'texts'>,
  since: Date,
): FindingWithTask[] {
  const of = (channel: Message['channel']) => books.messages.filter((message) => message.channel === channel)
  const findOrderCode = createOrderCodeFinder(books)
  const scopes: Scope[] = [
    {
      channel: 'email',
      what: 'mail',
      ours: of('email'),
      theirs: mails.map(({ to, message_id: id, subject }) => ({ id, to, says: subject })),
    },
    {
      channel: 'sms',
      what: 'text',
      ours: of('sms'),
      theirs: texts.map(({ to, id, text }) => ({ id, to, says: text })),
    },
  ]
  return [
    ...scopes.flatMap((scope) => [
      ...findUndelivered(books, scope, findOrderCode, since),
      ...findUnknownMessages(books, scope, findOrderCode),
    ]),
    ...findDuplicateMessages(books, findOrderCode),
  ]
}

function findUndelivered(
  books: ProductRecords,
  { what, ours, theirs }: Scope,
  codeOf: MessageOrderCodeFinder,
  since: Date,
): FindingWithTask[] {
  const deliveriesById = Map.groupBy(theirs, ({ id }) => id)
  const later = books.orders.filter(({ created_at: at }) => at >= since).map((order) => order.order_code)
  const scopedIds = new Set(later)
  return ours.flatMap((message) => {
    const { message_id: id, event_key: event, recipient } = message
    const code = codeOf(message)
    if (code === null ? message.created_at < since : !scopedIds.has(code)) return []
    const came = deliveriesById.get(id) ?? []
    const wrongRecipientDelivery = came.find(({ to }) => to.toLowerCase() !== recipient.toLowerCase())
    const about = (kind: FindingKind, rest: string, task?: TaskKind): FindingWithTask[] => [
      {
        kind,
        order_code: code,
        text: `the ${what} ${id} about ${event} to ${recipient} ${rest}`,
        ...(task && { task }),
      },
    ]
    if (wrongRecipientDelivery) return about('unexplained', `went to ${wrongRecipientDelivery.to}`)
    if (message.sent_at && came.length === 0) return about('lost', 'was sent, and nobody has had it')
    // A deferred message is not sent until the morning, and an outdated message is never sent, so neither counts as lost.
    const sentOrDueAt = message.sent_at ?? message.dropped_at ?? message.due_at
    // Skip messages about orders, which are reported by the audit of orders.
    if (sentOrDueAt || isAboutOrder(message)) return []
    return message.refused_at ? about('unexplained', 'was refused', 'message') : about('lost', 'was never sent')
  })
}

function findUnknownMessages(
  { messages, forgotten, users }: ProductRecords,
  { what, ours, theirs }: Scope,
  codeOf: MessageOrderCodeFinder,
): Finding[] {
  const known = new Map(ours.map((message) => [message.message_id, message]))
  const addresses = new Set([...messages.map(({ recipient }) => recipient), ...users.map(({ email }) => email)])
  const alike = Map.groupBy(
    theirs.filter(({ id }) => known.has(id)),
    ({ to, says }) => `${to} ${says}`,
  )
  const unknownMessages = new Map(theirs.filter(({ id }) => !known.has(id)).map((each) => [each.id, each]))
  return (
    [...unknownMessages.values()]
      // Skip the addresses of erased customers, because Fantail deletes their messages.
      .filter(({ to }) => forgotten.size === 0 || addresses.has(to))
      .map(({ id, to, says }) => {
        const first = alike.get(`${to} ${says}`)?.[0]
        const twin = first && known.get(first.id)
        return {
          kind: twin ? 'doubled' : 'unexplained',
          order_code: twin ? codeOf(twin) : null,
          text: twin
            ? `the ${what} ${id} to ${to} says again what ${twin.message_id} about ${twin.event_key} said`
            : `the ${what} ${id} to ${to} is unknown to Fantail: ${says}`,
        }
      })
  )
}

/** The kinds of messages that are sent once per order or refund, whatever their event keys. Staff may have such a message sent again. */
const onceOnlyMessageKinds = ['activation', 'renewal', 'addon', 'refund']

const isAboutOrder = ({ kind }: Message): boolean => onceOnlyMessageKinds.includes(kind ?? '')

function findDuplicateMessages({ messages }: ProductRecords, codeOf: MessageOrderCodeFinder): Finding[] {
  const once = messages.filter((message) => isAboutOrder(message) && !message.event_key.includes(':again:'))
  return [...Map.groupBy(once, ({ kind, ref }) => `${kind}:${ref}`)].flatMap(([event, [, ...more]]) =>
    more.map((message) => ({
      kind: 'doubled' as const,
      order_code: codeOf(message),
      text: `the ${message.channel} ${message.message_id} to ${message.recipient} is one more about ${event}`,
    })),
  )
}

type MessageOrderCodeFinder = (message: Message) => string | null

function createOrderCodeFinder(books: ProductRecords): MessageOrderCodeFinder {
  const codes = new Map<string | null, string>(books.orders.map(({ id, order_code: code }) => [id, code]))
  const orderIdByRefund = new Map(books.refunds.map(({ id, order_id: orderId }) => [id, orderId]))
  const serviceIdByPort = new Map(books.ports.map(({ id, service_id: service }) => [id, service]))
  const findServiceOrderCode = createServiceOrderCodeFinder(books)
  return ({ ref, kind, service_id: service }) => {
    const order = codes.get(ref) ?? codes.get(orderIdByRefund.get(ref ?? '') ?? null)
    const about = service ?? (kind === 'port' ? serviceIdByPort.get(ref ?? '') : null)
    return order ?? (about ? findServiceOrderCode(about) : null)
  }
}
