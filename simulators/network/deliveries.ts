import { setTimeout as delay } from 'node:timers/promises'
import type { Network } from './network.ts'
import type { presentOrder } from './present-order.ts'
import type { Subscription } from './state.ts'

export type EventType =
  | 'ServiceOrderCreateEvent'
  | 'ServiceOrderStateChangeEvent'
  | 'ServiceOrderMilestoneEvent'
  | 'ServiceOrderInformationRequiredEvent'

export type NetworkEvent = {
  eventId: string
  eventTime: string
  eventType: EventType
  correlationId: string | undefined
  domain: string
  event: { serviceOrder: ReturnType<typeof presentOrder> }
}

const maxAttempts = 5
const firstRetryMs = 200
const attemptTimeoutMs = 5_000

/**
 * Delivers events to subscribers, each of which receives its events one after another. Unless the subscriber answers with 2xx, an event is
 * sent five times within about three seconds and then given up. Undelivered events are also lost in a restart.
 */
export function createDeliveries(network: Network, worded: (event: NetworkEvent) => unknown) {
  const abortController = new AbortController()
  const deliveries = new Map<string, Promise<void>>()

  function send(events: NetworkEvent[]): void {
    for (const { id, query } of network.state.subscriptions.values()) {
      for (const event of events) {
        if (matchesQuery(event.eventType, query)) deliveries.set(id, deliverEventAfter(deliveries.get(id), id, event))
      }
    }
  }

  async function deliverEventAfter(before: Promise<void> | undefined, subscriptionId: string, event: NetworkEvent) {
    await before
    await deliverEvent(subscriptionId, event, 1)
  }

  async function deliverEvent(subscriptionId: string, event: NetworkEvent, attempt: number): Promise<void> {
    const subscription = network.state.subscriptions.get(subscriptionId)
    if (!subscription || abortController.signal.aborted) return
    if ((await isAccepted(subscription, worded(event), abortController.signal)) || attempt === maxAttempts) return
    await delay(firstRetryMs * 2 ** (attempt - 1), null, { signal: abortController.signal }).catch(() => {})
    return deliverEvent(subscriptionId, event, attempt + 1)
  }

  return {
    send,
    async close() {
      abortController.abort()
      await Promise.all(deliveries.values())
    },
  }
}

/** Returns whether a subscription covers an event type. Its query is either empty (all types) or lists types: `eventType=A,B`. */
function matchesQuery(eventType: EventType, query: string | null): boolean {
  const types = new URLSearchParams(query ?? '').getAll('eventType').flatMap((list) => list.split(','))
  return types.length === 0 || types.includes(eventType)
}

async function isAccepted({ callback }: Subscription, event: unknown, closing: AbortSignal): Promise<boolean> {
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
