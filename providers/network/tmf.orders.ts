import * as v from 'valibot'
import type { NetworkMapping } from './mapping.ts'
import type { ListedOrder, OrderList } from './network.port.ts'
import { characteristicOf } from './order-line.ts'
import { serviceOrderSchema, stateOf, unknown } from './tmf.answer.ts'
import type { TmfCall } from './tmf.call.ts'
import { readAll } from './tmf.list.ts'

const listedSchema = v.object({
  ...serviceOrderSchema.entries,
  orderDate: v.pipe(v.string(), v.maxLength(50), v.transform(Date.parse), v.number(), v.finite()),
})

/** Maximum period of one request. A busy month does not fit into the pages of one list. */
const hoursOfRequest = 24

/** Some networks ignore the filters, so orders outside the period are left out. */
export async function listOrders(
  call: TmfCall,
  { from, until }: { from: Temporal.Instant; until: Temporal.Instant },
  mapping: NetworkMapping,
): Promise<OrderList> {
  const { filters, paging } = mapping
  const orders: ListedOrder[] = []
  for (let start = from; Temporal.Instant.compare(start, until) < 0; start = start.add({ hours: hoursOfRequest })) {
    const end = earlier(start.add({ hours: hoursOfRequest }), until)
    const query = new URLSearchParams({
      [filters.orderedFrom]: start.toString(),
      [filters.orderedUntil]: end.toString(),
    })
    const answer = await readAll((page) => call(`/serviceOrder?${query}&${page}`), listedSchema, paging)
    if ('why' in answer) return unknown(answer.why)
    for (const { orderDate, externalId, ...order } of answer.items) {
      if (orderDate < start.epochMilliseconds || orderDate >= end.epochMilliseconds || !externalId) continue
      const state = stateOf(order, mapping)
      if (!state) return { ...unknown(`service order ${externalId} is in state ${order.state}`) }
      orders.push({
        externalId,
        orderedAt: Temporal.Instant.fromEpochMilliseconds(orderDate),
        state: state === 'cancelled' ? 'failed' : state,
        iccid: characteristicOf(order, mapping.characteristics.iccid) || null,
        msisdn: characteristicOf(order, mapping.characteristics.msisdn) || null,
      })
    }
  }
  return { outcome: 'known', orders }
}

const earlier = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) < 0 ? one : other
