import { fromDate, realNow } from '#kit/server/clock.ts'
import { type Finding, createFaultUnless } from './findings.ts'
import type { Ledgers } from './ledgers.ts'
import type { ProductRecords } from './product-records.ts'

// The maximum number of milliseconds by which due work may be late. A sweep runs every half second and handles one item at a time.
const maxSweepDelayMs = 60_000

export function createServiceOrderCodeFinder({
  services,
  orders,
}: ProductRecords): (serviceId: string) => string | null {
  const codes = new Map(orders.map(({ id, order_code: code }) => [id, code]))
  const activations = new Map(services.map(({ id, order_id: orderId }) => [id, orderId]))
  return (serviceId) => codes.get(activations.get(serviceId) ?? '') ?? null
}

/**
 * Returns a sentence for each fault in a service. An active service must have future deadlines for the end of its plan and for its number's
 * last day. A released service must have no deadlines, and its number must have been returned to the network exactly once. Services created
 * before `since` are ignored.
 */
export function findServiceFaults(books: ProductRecords, { network }: Ledgers, since: Date): Finding[] {
  const now = realNow().epochMilliseconds + books.clockOffsetMs
  const deadlines = Map.groupBy(books.deadlines, (row) => row.service_id)
  const releases = new Map(books.releases.map((row) => [row.service_id, row]))
  const linesByExternalId = Map.groupBy(network, (line) => line.external_id)
  const services = new Map(books.services.map((row) => [row.id, row]))
  const findOrderCode = createServiceOrderCodeFinder(books)

  return books.schedules.flatMap(({ service_id: id, expires_at: expiresAt }) => {
    const service = services.get(id)
    if (!service || service.created_at < since) return []
    const { released_at: releasedAt } = service
    const due = deadlines.get(id) ?? []
    const dueAt = (kind: string) => due.find((deadline) => deadline.kind === kind)?.due_at.getTime()
    const release = releases.get(id)
    const given = (release && linesByExternalId.get(release.external_id)) ?? []
    const isExpired = expiresAt.getTime() <= now
    const found = releasedAt
      ? [
          ...createFaultUnless(due.length === 0, 'unexplained', `has ${due.length} deadlines left`),
          ...createFaultUnless(
            release?.state === 'completed' && release.retry_at === null,
            release ? 'unsettled' : 'unexplained',
            `has a release that is ${release?.state ?? 'missing'}`,
          ),
          // The release must not be requested twice. The network has no record of it if the network itself had already deactivated the SIM.
          ...createFaultUnless(
            given.length === 1 || (given.length === 0 && release?.fault !== null),
            given.length > 1 ? 'doubled' : 'unexplained',
            `was given back ${given.length} times`,
          ),
          ...createFaultUnless(
            given.every(({ action, state }) => action === 'deactivate' && state === 'completed'),
            'unexplained',
            'is still on the network',
          ),
        ]
      : [
          ...createFaultUnless(!release, 'unexplained', 'is its customer’s and has a release'),
          ...createFaultUnless(dueAt('release') !== undefined, 'unexplained', 'will never be released'),
          ...createFaultUnless(
            isExpired || dueAt('expiry') === expiresAt.getTime(),
            'unexplained',
            'will not be told of its plan’s end',
          ),
          ...createFaultUnless(
            due.every((deadline) => deadline.due_at.getTime() > now - maxSweepDelayMs),
            'unsettled',
            'has a deadline that is overdue',
          ),
        ]
    const state = releasedAt ? `released ${fromDate(releasedAt)}` : 'live'
    return found.map(({ kind, text }) => ({
      kind,
      order_code: findOrderCode(id),
      text: `service ${id} (${state}) ${text}`,
    }))
  })
}
