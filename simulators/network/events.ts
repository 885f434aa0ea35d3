import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Network } from './network.ts'
import { presentOrder } from './present-order.ts'
import type { Order, Subscription } from './state.ts'

export const eventModes = ['normal', 'hold', 'duplicate', 'reorder', 'drop'] as const
/**
 * `hold` keeps events until they are released; `duplicate` delivers each twice; `reorder` gathers them for a
 * moment and delivers the newest first; `drop` loses them.
 */
export type EventMode = (typeof eventModes)[number]

type EventType =
  | 'ServiceOrderCreateEvent'
  | 'ServiceOrderStateChangeEvent'
  | 'ServiceOrderMilestoneEvent'
  | 'ServiceOrderInformationRequiredEvent'

/** What a subscriber is sent. */
export type NetworkEvent = {
  eventId: string
  eventTime: string
  eventType: EventType
  correlationId: string | null
  domain: string
  event: { serviceOrder: ReturnType<typeof presentOrder> }
}

const attempts = 5
const firstRetryMs = 200
const attemptTimeoutMs = 5_000
const reorderWindowMs = 500

/**
 * Tells subscribers what happens to orders. Each subscriber gets its events one after the other; one that does
 * not answer 2xx is tried five times within three seconds or so, then the event is lost, as it is on a restart.
 */
export function createEvents(network: Network) {
  const closing = new AbortController()
  const deliveries = new Map<string, Promise<void>>()
  let mode: EventMode = 'normal'
  let kept: NetworkEvent[] = []
  let window: NodeJS.Timeout | undefined

  function publish(eventType: EventType, order: Order): void {
    const event: NetworkEvent = {
      eventId: randomUUID(),
      eventTime: new Date(network.now()).toISOString(),
      eventType,
      correlationId: order.externalId,
      domain: 'serviceOrdering',
      event: { serviceOrder: presentOrder(order) },
    }
    if (mode === 'drop') return
    if (mode === 'normal') return send([event])
    if (mode === 'duplicate') return send([event, event])
    kept.push(event)
    if (mode === 'reorder') window ??= setTimeout(release, reorderWindowMs)
  }

  function release(): number {
    clearTimeout(window)
    window = undefined
    const events = mode === 'reorder' ? kept.toReversed() : kept
    kept = []
    send(events)
    return events.length
  }

  function send(events: NetworkEvent[]): void {
    for (const { id, query } of network.state.subscriptions.values()) {
      for (const event of events) {
        if (isWanted(event.eventType, query)) deliveries.set(id, deliverAfter(deliveries.get(id), id, event))
      }
    }
  }

  async function deliverAfter(before: Promise<void> | undefined, subscriptionId: string, event: NetworkEvent) {
    await before
    await deliver(subscriptionId, event, 1)
  }

  async function deliver(subscriptionId: string, event: NetworkEvent, attempt: number): Promise<void> {
    const subscription = network.state.subscriptions.get(subscriptionId)
    if (!subscription || closing.signal.aborted) return
    if ((await isTaken(subscription, event, closing.signal)) || attempt === attempts) return
    await delay(firstRetryMs * 2 ** (attempt - 1), null, { signal: closing.signal }).catch(() => {})
    return deliver(subscriptionId, event, attempt + 1)
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
    /** From now on; what was kept so far is sent. */
    setMode(next: EventMode) {
      release()
      mode = next
    },
    /** Sends what is kept and answers how many events that were. */
    release,
    async close() {
      clearTimeout(window)
      closing.abort()
      await Promise.all(deliveries.values())
    },
  }
}

export type Events = ReturnType<typeof createEvents>

/** A subscription's query is empty or names event types: `eventType=A,B`. */
function isWanted(eventType: EventType, query: string | null): boolean {
  const types = new URLSearchParams(query ?? '').getAll('eventType').flatMap((list) => list.split(','))
  return types.length === 0 || types.includes(eventType)
}

async function isTaken({ callback }: Subscription, event: NetworkEvent, closing: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(callback, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(event),
      redirect: 'error',
      signal: AbortSignal.any([closing, AbortSignal.timeout(attemptTimeoutMs)]),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
