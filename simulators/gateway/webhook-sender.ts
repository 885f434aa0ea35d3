import type { Gateway } from './gateway.ts'
import { buildWebhookBody } from './notification.ts'
import type { QueuedWebhook } from './state.ts'

export type WebhookSender = {
  /** Sets the URL that webhooks are sent to. With `null`, webhooks are queued until there is a URL. */
  setUrl(url: string | null): void
  release(): void
  attempts(): ReadonlyMap<string, number>
  close(): Promise<void>
}

/** Milliseconds to wait after each failed delivery of a webhook. After the last retry, about half an hour later, the webhook is dropped. */
const defaultRetryDelaysMs = [1, 2, 5, 10, ...Array.from({ length: 60 }, () => 30)].map((seconds) => seconds * 1000)
const responseTimeoutMs = 10_000
// In `reorder` mode, each webhook waits this many milliseconds, so that a later one can overtake it.
const reorderWindowMs = 300

/**
 * Delivers queued webhooks one at a time and in order. Each must be answered with `[accepted]` before the next is sent. Webhooks that have
 * not been delivered survive a restart.
 */
export function startWebhookSender(
  gateway: Gateway,
  options: { url: string | null; hmacKey: string; retryDelaysMs?: readonly number[] },
): WebhookSender {
  const { hmacKey, retryDelaysMs = defaultRetryDelaysMs } = options
  let { url } = options
  const attempts = new Map<string, number>()
  const abortController = new AbortController()
  const deliveryTimers = createDeliveryTimers(abortController.signal)

  const deliverNextWebhook = async (): Promise<void> => {
    if (!url || listDeliverableWebhooks(gateway).length === 0) return deliveryTimers.untilRung()
    const isReordering = gateway.store.settings().webhookMode === 'reorder'
    if (isReordering) await deliveryTimers.for(reorderWindowMs)
    const next = listDeliverableWebhooks(gateway).at(isReordering ? -1 : 0)
    if (!next || abortController.signal.aborted) return
    const [key, webhook] = next
    const isAccepted = await send(url, buildWebhookBody(webhook, hmacKey), abortController.signal)
    if (abortController.signal.aborted) return
    const failedAttempts = attempts.get(key) ?? 0
    const wait = retryDelaysMs[failedAttempts]
    if (isAccepted || wait === undefined) {
      attempts.delete(key)
      gateway.commit([{ table: 'webhooks', key, row: null }])
    } else {
      attempts.set(key, failedAttempts + 1)
      await deliveryTimers.for(wait)
    }
  }

  const run = async (): Promise<void> => {
    while (!abortController.signal.aborted) await deliverNextWebhook()
  }

  const runPromise = run()
  gateway.onCommit(deliveryTimers.ring)
  return {
    setUrl: (newUrl) => {
      url = newUrl
      deliveryTimers.end()
    },
    release: () => {
      const held = listQueuedWebhooks(gateway).filter(([, webhook]) => webhook.held)
      gateway.commit(held.map(([key, webhook]) => ({ table: 'webhooks', key, row: { ...webhook, held: false } })))
    },
    attempts: () => attempts,
    close: () => {
      abortController.abort()
      return runPromise
    },
  }
}

const listQueuedWebhooks = (gateway: Gateway): [string, QueuedWebhook][] => [...gateway.store.table('webhooks')]

const listDeliverableWebhooks = (gateway: Gateway): [string, QueuedWebhook][] =>
  listQueuedWebhooks(gateway).filter(([, webhook]) => !webhook.held)

async function send(url: string, body: unknown, closing: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(responseTimeoutMs)]),
    })
    const text = await answer.text()
    return answer.status === 200 && text.includes('[accepted]')
  } catch {
    return false
  }
}

/** Creates the delivery loop's timers. `ring` wakes the loop only while it waits for new webhooks, never between two attempts. */
function createDeliveryTimers(closing: AbortSignal) {
  let end = () => {}
  let isForRing = false
  const pause = (ms: number | null) =>
    new Promise<void>((resolve) => {
      if (closing.aborted) return resolve()
      isForRing = ms === null
      const timer = ms === null ? undefined : setTimeout(() => end(), ms)
      end = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  closing.addEventListener('abort', () => end())
  return {
    for: (ms: number) => pause(ms),
    untilRung: () => pause(null),
    ring: () => {
      if (isForRing) end()
    },
    end: () => end(),
  }
}
