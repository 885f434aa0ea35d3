import * as v from 'valibot'
import type { NetworkMapping } from './mapping.ts'
import type { ListedOrder, OrderList } from './network.port.ts'
import { readCharacteristic } from './line-identifiers.ts'
import { serviceOrderSchema, toOrderState, createUnknownOutcome } from './tmf.response.ts'
import type { TmfClient } from './tmf.client.ts'
import { readAllPages } from './tmf.list.ts'

const listedOrderSchema = v.object({
  ...serviceOrderSchema.entries,
  orderDate: v.pipe(v.string(), v.maxLength(50), v.transform(Date.parse), v.number(), v.finite()),
})

/** Maximum period per request, in hours. A busy month does not fit into a single list's pages. */
const hoursPerRequest = 24

/** Lists the orders placed in a period. Some networks ignore the filters, so orders outside the period are left out. */
export async function listOrders(
  call: TmfClient,
  { from, until }: { from: Temporal.Instant; until: Temporal.Instant },
  mapping: NetworkMapping,
): Promise<OrderList> {
  const { filters, paging } = mapping
  const orders: ListedOrder[] = []
  for (let start = from; Temporal.Instant.compare(start, until) < 0; start = start.add({ hours: hoursPerRequest })) {
    const end = getEarlierInstant(start.add({ hours: hoursPerRequest }), until)
    const query = new URLSearchParams({
      [filters.orderedFrom]: start.toString(),
      [filters.orderedUntil]: end.toString(),
    })
    const answer = await readAllPages((page) => call(`/serviceOrder?${query}&${page}`), listedOrderSchema, paging)
    if ('why' in answer) return createUnknownOutcome(answer.why)
    for (const { orderDate, externalId, ...order } of answer.items) {
      if (orderDate < start.epochMilliseconds || orderDate >= end.epochMilliseconds || !externalId) continue
      const state = toOrderState(order, mapping)
      if (!state) return { ...createUnknownOutcome(`service order ${externalId} is in state ${order.state}`) }
      orders.push({
        externalId,
        orderedAt: Temporal.Instant.fromEpochMilliseconds(orderDate),
        state: state === 'cancelled' ? 'failed' : state,
        iccid: readCharacteristic(order, mapping.characteristics.iccid) || null,
        msisdn: readCharacteristic(order, mapping.characteristics.msisdn) || null,
      })
    }
  }
  return { outcome: 'known', orders }
}

const getEarlierInstant = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) < 0 ? one : other
