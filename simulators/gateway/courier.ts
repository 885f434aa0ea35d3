import type { Gateway } from './gateway.ts'
import { callBody } from './notification.ts'
import type { QueuedWebhook } from './state.ts'

export type Courier = {
  /** Where webhooks go from now on; null keeps them until there is somewhere. */
  setUrl(url: string | null): void
  /** Delivers what is held; the mode stays as it is. */
  release(): void
  /** How often each queued webhook was sent in vain since the start, by its key. */
  attempts(): ReadonlyMap<string, number>
  close(): Promise<void>
}

/** Waits after a delivery that failed; after the last of them a webhook is given up. Half an hour in all. */
const defaultRetryDelaysMs = [1, 2, 5, 10, ...Array.from({ length: 60 }, () => 30)].map((seconds) => seconds * 1000)
const answerWithinMs = 10_000
// In mode `reorder` each delivery waits this long, so that there is something to send first that came later.
const reorderWindowMs = 300

/**
 * Delivers queued webhooks one at a time and in order: one must be answered `[accepted]` before the next is sent.
 * What is not delivered is still queued after a restart.
 */
export function startCourier(
  gateway: Gateway,
  options: { url: string | null; hmacKey: string; retryDelaysMs?: readonly number[] },
): Courier {
  const { hmacKey, retryDelaysMs = defaultRetryDelaysMs } = options
  let { url } = options
  const attempts = new Map<string, number>()
  const closing = new AbortController()
  const pauses = createPauses(closing.signal)

  const deliverNext = async (): Promise<void> => {
    if (!url || deliverable(gateway).length === 0) return pauses.untilRung()
    const isReordering = gateway.store.settings().webhookMode === 'reorder'
    if (isReordering) await pauses.for(reorderWindowMs)
    const next = deliverable(gateway).at(isReordering ? -1 : 0)
    if (!next || closing.signal.aborted) return
    const [key, webhook] = next
    const isAccepted = await send(url, callBody(webhook, hmacKey), closing.signal)
    if (closing.signal.aborted) return
    const failed = attempts.get(key) ?? 0
    const wait = retryDelaysMs[failed]
    if (isAccepted || wait === undefined) {
      attempts.delete(key)
      gateway.commit([{ table: 'webhooks', key, row: null }])
    } else {
      attempts.set(key, failed + 1)
      await pauses.for(wait)
    }
  }

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) await deliverNext()
  }

  const running = run()
  gateway.onCommit(pauses.ring)
  return {
    setUrl: (newUrl) => {
      url = newUrl
      pauses.end()
    },
    release: () => {
      const held = rowsOf(gateway).filter(([, webhook]) => webhook.held)
      gateway.commit(held.map(([key, webhook]) => ({ table: 'webhooks', key, row: { ...webhook, held: false } })))
    },
    attempts: () => attempts,
    close: () => {
      closing.abort()
      return running
    },
  }
}

const rowsOf = (gateway: Gateway): [string, QueuedWebhook][] => [...gateway.store.table('webhooks')]

const deliverable = (gateway: Gateway): [string, QueuedWebhook][] =>
  rowsOf(gateway).filter(([, webhook]) => !webhook.held)

async function send(url: string, body: unknown, closing: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(answerWithinMs)]),
    })
    const text = await answer.text()
    return answer.status === 200 && text.includes('[accepted]')
  } catch {
    return false
  }
}

/** The waits of one loop. A ring ends only a wait for something to do, never one between two tries. */
function createPauses(closing: AbortSignal) {
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
