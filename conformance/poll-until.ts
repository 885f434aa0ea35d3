import { setTimeout as delay } from 'node:timers/promises'

/**
 * Calls `ask` at growing intervals until it returns something other than `null`. Returns `null` after the timeout.
 * @throws if the signal is aborted
 */
export async function pollUntil<Answer>(
  ask: () => Answer | null | Promise<Answer | null>,
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<Answer | null> {
  const end = performance.now() + ms
  for (let wait = 20; ; wait = Math.min(wait * 1.5, 2_000)) {
    const answer = await ask()
    if (answer !== null) return answer
    const left = end - performance.now()
    if (left <= 0) return null
    await delay(Math.min(wait, left), undefined, { signal })
  }
}
