import { randomUUID } from 'node:crypto'
import { createDeliveries, type EventType, type NetworkEvent } from './deliveries.ts'
import type { Network } from './network.ts'
import { presentOrder } from './present-order.ts'
import type { Order } from './state.ts'

export const eventModes = ['normal', 'hold', 'duplicate', 'reorder', 'drop'] as const
/**
 * How the network delivers events. `hold` keeps them until they are released. `duplicate` delivers each event twice. `reorder` collects
 * events for a moment and delivers the newest first. `drop` loses all of them.
 */
export type EventMode = (typeof eventModes)[number]

const reorderWindowMs = 500

export function createEvents(network: Network, worded: (event: NetworkEvent) => unknown) {
  const { send, close } = createDeliveries(network, worded)
  let mode: EventMode = 'normal'
  let kept: NetworkEvent[] = []
  let window: NodeJS.Timeout | undefined

  function publish(eventType: EventType, order: Order): void {
    const event: NetworkEvent = {
      eventId: randomUUID(),
      eventTime: new Date(network.now()).toISOString(),
      eventType,
      correlationId: order.externalId ?? undefined,
      domain: 'serviceOrdering',
      event: { serviceOrder: presentOrder(order, network.origin) },
    }
    if (mode === 'drop') return
    if (mode === 'normal') return send([event])
    if (mode === 'duplicate') return send([event, event])
    kept.push(event)
    if (mode === 'reorder') window ??= setTimeout(sendHeldEvents, reorderWindowMs)
  }

  function sendHeldEvents(): number {
    clearTimeout(window)
    window = undefined
    const events = mode === 'reorder' ? kept.toReversed() : kept
    kept = []
    send(events)
    return events.length
  }

  return {
    accepted: (order: Order) => publish('ServiceOrderCreateEvent', order),
    moved(order: Order, before: Pick<Order, 'state' | 'portState'>) {
      if (order.portState !== before.portState) {
        publish('ServiceOrderMilestoneEvent', order)
        if (order.portState === 'informationRequired') publish('ServiceOrderInformationRequiredEvent', order)
      }
      if (order.state !== before.state) publish('ServiceOrderStateChangeEvent', order)
    },
    setMode(next: EventMode) {
      sendHeldEvents()
      mode = next
    },
    release: sendHeldEvents,
    async close() {
      clearTimeout(window)
      await close()
    },
  }
}

export type Events = ReturnType<typeof createEvents>
